import type { DeskLine } from '#shared/desk-lines.ts'
import { deskPersonPath } from '#shared/desk-people.ts'
import { deskGroup, isoOf, mailName, thingsWithWords, type DeskSource } from '../desk-source.ts'
import type { Mail } from '../mail/schema.ts'
import type { MailStore } from '../mail/store.ts'

/** Emails at the desk: those that could not be delivered. */
export const mailDesk = (
  mails: Pick<MailStore, 'list' | 'newest' | 'withAddress'>,
): DeskSource => ({
  today: () =>
    deskGroup('Emails that failed', mails.list('failed').toReversed(), {
      line,
      command: 'pitlane mail list --failed',
    }),
  find: (words, limit) =>
    thingsWithWords(mails.newest(), {
      words,
      limit,
      textsOf: ({ kind, reference, thingId, recipient }) => [kind, reference, thingId, recipient],
    }).map(line),
  ofPerson: (email) => mails.withAddress(email).map(line),
})

const line = (mail: Mail): DeskLine => {
  const { id, kind, reference, status, recipient, queuedAt, settledAt, lastReply } = mail
  return {
    label: 'Email',
    title: [mailName(kind), reference].filter(Boolean).join(' '),
    detail: [`mail ${id}`, recipient, status, status === 'failed' && lastReply]
      .filter(Boolean)
      .join(' · '),
    urgent: status === 'failed',
    at: isoOf(settledAt ?? queuedAt),
    href: recipient === null ? null : deskPersonPath(recipient),
  }
}
