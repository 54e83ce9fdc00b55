import type { ContactField } from '#shared/contact/contact.ts'
import { dayMs } from '#shared/dates/durations.ts'
import { helsinkiIso } from '#shared/dates/helsinki-time.ts'
import type { Transaction } from '../db/group-commit.ts'
import { inBatches } from '../db/in-batches.ts'
import type { Platform } from '../feature.ts'
import type { JobDefinition } from '../jobs/job.ts'
import { eraseMails } from '../mail/erase.ts'
import type { PersonalData } from '../contributions/personal-data.ts'
import type { InboundStore } from './inbound/store.ts'
import type { TicketActions } from './acts.ts'
import type { TicketHistory } from './history.ts'
import type { MailCalls } from './mail-calls.ts'
import { ticketMailKinds } from './mails.ts'
import { quarantineDays, ticketMonths } from './rules.ts'
import { fileInWords, type ReplyFiles } from './reply-files.ts'
import type { TicketMessageEmail } from './schema.ts'
import type { TicketStore } from './store.ts'

/** The jobs that forget what the contact flow keeps, and emails that wait for staff for too long. */
const forgetKind = 'contact.forget'
const forgetEmailsKind = 'contact.forget-emails'

/** Days after which a waiting email is deleted, even unread. */
const waitingDays = 30

/** The fields of the form in the words of the privacy policy. */
const fieldNames: Record<ContactField, string> = {
  name: 'Name',
  email: 'email address',
  subject: 'subject',
  message: 'message',
}

type Kept = {
  tickets: TicketStore
  actions: Pick<TicketActions, 'erase' | 'forgetOld'>
  history: Pick<TicketHistory, 'changes'>
  calls: Pick<MailCalls, 'about' | 'erase' | 'settleOverdue' | 'forgetOld'>
  inbound: Pick<InboundStore, 'emailOf' | 'waitingOf' | 'addresses' | 'erase' | 'removeOld'>
  files: Pick<ReplyFiles, 'ofMessage' | 'forgetWaiting'>
}

/**
 * What the contact flow keeps of people: tickets, calls whose ticket never came, and emails that wait
 * for staff. What was taken from an email is a part of its ticket.
 */
export const contactData = (
  { mails, config: { dataDir } }: Pick<Platform, 'mails' | 'config'>,
  { tickets, actions, history, calls, inbound, files }: Kept,
): PersonalData[] => [
  {
    name: 'tickets',
    policy: [
      {
        what: 'Answering your message',
        data: `${Object.values(fieldNames).join(', ')}, your replies with the names of attached files, our replies with the files we attached, ticket number, time, case history, and a keyed hash of your network`,
        ground:
          'Steps before a contract, or our legitimate interest in answering (Art. 6(1)(b), (f))',
        kept: `${ticketMonths} months after the message came in; ${quarantineDays} days if it looks like spam`,
      },
    ],
    forgottenBy: { job: forgetKind },
    addresses: tickets.addresses,
    find: (email) =>
      tickets.ofEmail(email).map(({ receivedAt, dueAt, ...ticket }) => ({
        ...ticket,
        receivedAt: helsinkiIso(receivedAt),
        dueAt: helsinkiIso(dueAt),
        changes: history
          .changes(ticket.ticketId)
          .map(({ at, ...change }) => ({ at: helsinkiIso(at), ...change })),
        messages: tickets.messages(ticket.ticketId).map(({ id, author, name, text, at }) => ({
          author,
          name,
          text,
          at: helsinkiIso(at),
          email: wholeEmail(inbound.emailOf(id)),
          files: files.ofMessage(id).map(fileInWords),
        })),
      })),
    erase(tx, email) {
      const ids = actions.erase(tx, email)
      // The notices to staff repeat the messages.
      const own = eraseMails(
        tx,
        ids.flatMap((id) => mails.of('ticket', id)),
        { mails, dataDir },
      )
      return { erased: ids.length, afterwards: own.afterwards }
    },
  },
  {
    name: 'mail calls',
    policy: [
      {
        what: 'A message that didn’t reach us whole',
        data: 'What your browser sent us of it, with your email address, and a keyed hash of your network',
        ground: 'The same as for the message',
        kept: '30 days after it was passed on to us; if it waits for review, until we have read it',
      },
    ],
    forgottenBy: { job: forgetKind },
    find: (email) =>
      calls.about(email).map(({ id, kind, receivedAt, outcome, data }) => ({
        id,
        kind,
        receivedAt: helsinkiIso(receivedAt),
        outcome,
        content: data,
      })),
    erase: (tx, email) => ({ erased: calls.erase(tx, email) }),
  },
  {
    name: 'waiting emails',
    policy: [
      {
        what: 'An email that isn’t a reply to ours',
        data: 'Your email address, the subject and the time, until we’ve read it in our mailbox',
        ground: 'The same as for the message',
        kept: `Until we’ve read it, ${waitingDays} days at most`,
      },
    ],
    forgottenBy: { job: forgetEmailsKind },
    addresses: inbound.addresses,
    find: (email) =>
      inbound.waitingOf(email).map(({ sender, subject, receivedAt, reason, ticketId }) => ({
        sender,
        subject,
        receivedAt: helsinkiIso(receivedAt),
        reason,
        ticketId,
      })),
    erase: (tx, email) => ({ erased: inbound.erase(tx, email) }),
    note: 'Emails to us stay in our mailbox until they’re deleted there.',
  },
]

/** The email that a message came as, for the person who asked; null for one from a page. */
const wholeEmail = (email: TicketMessageEmail | null) =>
  email && { text: email.text, attachments: email.attachments }

/** The jobs of the contact flow. */
export const contactJobs = (
  { clock, commit, formProofs, mails }: Pick<Platform, 'clock' | 'commit' | 'formProofs' | 'mails'>,
  { tickets, actions, calls, inbound, files }: Kept,
): JobDefinition[] => [
  {
    kind: 'contact.settle-calls',
    about: 'settles mail calls whose ticket never arrived',
    waitsForTrustedClock: false,
    recurs: { everyMinutes: 1 },
    run: () => calls.settleOverdue(),
  },
  {
    kind: forgetKind,
    about:
      'deletes old tickets, their emails, files of unsent replies, used form proofs and settled mail calls',
    recurs: { daily: '03:30' },
    async run() {
      await inBatches(commit, formProofs.forget)
      await inBatches(commit, actions.forgetOld)
      await inBatches(commit, forgetOrphans(mails, tickets))
      await inBatches(commit, calls.forgetOld)
      await commit(files.forgetWaiting)
    },
  },
  {
    kind: forgetEmailsKind,
    about: 'forgets emails that staff haven’t read in the mailbox',
    recurs: { daily: '03:30' },
    run: async () => {
      await commit((tx) => inbound.removeOld(tx, clock() - waitingDays * dayMs))
    },
  },
]

/** Deletes settled emails about deleted tickets, one batch at a time. */
function forgetOrphans(mails: Platform['mails'], tickets: TicketStore) {
  const isTicketMail = (kind: string) => (ticketMailKinds as readonly string[]).includes(kind)
  let after = 0
  return (tx: Transaction): number => {
    const looked = mails.settledAfter(after)
    const own = looked.filter(({ kind }) => isTicketMail(kind))
    const known = tickets.known(own.flatMap(({ reference }) => reference ?? []))
    const orphans = own.filter(({ reference }) => reference !== null && !known.has(reference))
    mails.remove(
      tx,
      orphans.map(({ id }) => id),
    )
    after = looked.at(-1)?.id ?? after
    return looked.length
  }
}
