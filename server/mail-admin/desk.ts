import type { DeskLine } from '#shared/desk/lines.ts'
import { deskPersonPath } from '#shared/desk/people.ts'
import type { DeskAct, DeskThing } from '#shared/desk/things.ts'
import { failure } from '#shared/failures.ts'
import { officeTime } from '#shared/dates/helsinki-time.ts'
import { paths } from '#shared/paths.ts'
import {
  deskGroup,
  isoOf,
  mailName,
  type DeskSource,
  type DeskThings,
} from '../contributions/desk-source.ts'
import type { Mail } from '../mail/schema.ts'
import { stuckAfter } from '../mail/outbox.ts'
import type { MailStore } from '../mail/store.ts'
import type { MailActs } from './acts.ts'

/**
 * Emails at the desk: those that could not be delivered or don’t go out, and what is done with
 * them. An email that says so wouldn’t go out, either.
 */
export const mailDesk = (
  mails: Pick<MailStore, 'failedForStaff' | 'find' | 'heldUp' | 'search' | 'withAddress'>,
  acts: MailActs,
  clock: () => number,
): DeskSource => ({
  today: () => [
    ...deskGroup('Emails that failed', mails.failedForStaff(), {
      line,
      command: 'pitlane mail list --failed',
    }),
    ...deskGroup('Emails that aren’t getting out', mails.heldUp(clock() - stuckAfter), {
      line,
      command: 'pitlane doctor',
    }),
  ],
  find: async (words, limit) =>
    (await mails.search(words, limit)).flatMap((id) => mails.find(id) ?? []).map(line),
  ofPerson: (email) => mails.withAddress(email).map(line),
  things: emailsAtDesk(mails, acts),
})

const line = (mail: Mail): DeskLine => {
  const { id, kind, reference, status, recipient, queuedAt, settledAt, lastReply } = mail
  const isTrouble = status === 'failed' || status === 'queued'
  return {
    label: 'Email',
    title: [mailName(kind), reference].filter(Boolean).join(' '),
    detail: [`mail ${id}`, recipient, status, isTrouble && lastReply].filter(Boolean).join(' · '),
    urgent: status === 'failed',
    at: isoOf(settledAt ?? queuedAt),
    href: paths.deskThing('emails', String(id)),
  }
}

/** Where the thing that an email is about is at the desk. */
const pages: Readonly<Record<string, (id: string) => string>> = {
  order: (id) => paths.deskThing('orders', id),
  booking: (id) => paths.deskThing('bookings', id),
  ticket: paths.deskTicket,
}

/** The page of an email: to whom, about what, what became of it, and another try. */
function emailsAtDesk(mails: Pick<MailStore, 'find'>, acts: MailActs): DeskThings {
  const ofId = (id: string) => (/^\d{1,15}$/.test(id) ? mails.find(Number(id)) : null)

  const shown = (mail: Mail): DeskThing => {
    const { id, kind, status, thing, thingId, recipient, attempts, lastReply } = mail
    const { queuedAt, dueAt, settledAt } = mail
    return {
      label: `Email ${id}`,
      title: mailName(kind),
      facts: [
        { name: 'Status', text: status },
        ...(recipient === null
          ? []
          : [{ name: 'To', text: recipient, href: deskPersonPath(recipient) }]),
        ...(thing === null || thingId === null
          ? []
          : [
              {
                name: 'About',
                text: `${thing} ${thingId}`,
                href: Object.hasOwn(pages, thing) ? pages[thing]!(thingId) : null,
              },
            ]),
        { name: 'Queued', text: officeTime(queuedAt) },
        { name: 'Attempts', text: String(attempts) },
        ...(status === 'queued' && dueAt !== null
          ? [{ name: 'Next attempt', text: officeTime(dueAt) }]
          : []),
        ...(settledAt === null
          ? []
          : [{ name: status === 'sent' ? 'Sent' : 'Ended', text: officeTime(settledAt) }]),
        ...(lastReply === null ? [] : [{ name: 'Mail server’s response', text: lastReply }]),
      ],
      parts: [],
      acts: actsOf(mail),
      history: [],
    }
  }

  return {
    name: 'emails',
    find(id) {
      const mail = ofId(id)
      return mail && shown(mail)
    },
    async act(id, act, _entries, by) {
      if (act === 'retry') {
        await acts.retry(Number(id), by)
        return 'It’s being sent again.'
      }
      if (act === 'dismiss') {
        await acts.dismiss(Number(id), by)
        return 'It’s off the list of failed emails.'
      }
      throw failure('invalid', { message: `An email has no ${act}.` })
    },
  }
}

function actsOf({ status }: Mail): DeskAct[] {
  const retry: DeskAct = {
    act: 'retry',
    label: 'Send it again',
    hint: 'At once, as if it had never been tried.',
    fields: [],
  }
  const dismiss: DeskAct = {
    act: 'dismiss',
    label: 'Take it off the list',
    hint: 'Once you’ve dealt with it another way, by phone for example. It isn’t sent.',
    isDanger: true,
    fields: [],
  }
  if (status === 'failed') return [retry, dismiss]
  return status === 'queued' ? [retry] : []
}
