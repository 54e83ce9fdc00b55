import { helsinkiIso } from '#shared/helsinki-time.ts'
import type { MailCalls } from './mail-call-store.ts'
import { eraseMails } from '../mail/erase.ts'
import type { MailStore } from '../mail/store.ts'
import type { PersonalData } from '../personal-data.ts'
import type { TicketStore } from './store.ts'
import { ticketMonths } from './ticket-retention.ts'

/** The job that forgets what the contact flow keeps. */
export const forgetKind = 'contact.forget'

type ContactData = {
  tickets: TicketStore
  calls: Pick<MailCalls, 'about' | 'erase'>
  mails: MailStore
  dataDir: string
}

/** What the contact flow keeps of people: tickets, and calls whose ticket never came. */
export const contactData = (kept: ContactData): PersonalData[] => [ticketData(kept), callData(kept)]

const ticketData = ({ tickets, mails, dataDir }: ContactData): PersonalData => ({
  name: 'tickets',
  policy: [
    {
      what: 'Answering your message',
      data: 'Name, e-mail address, subject, message, ticket number, time, what became of it, and a keyed hash of your network',
      ground:
        'Steps before a contract, or our legitimate interest in answering (Art. 6(1)(b), (f))',
      kept: `${ticketMonths} months after the message came in`,
    },
  ],
  forgottenBy: { job: forgetKind },
  find: (email) =>
    tickets.ofEmail(email).map(({ receivedAt, dueAt, ...ticket }) => ({
      ...ticket,
      receivedAt: helsinkiIso(receivedAt),
      dueAt: helsinkiIso(dueAt),
      changes: tickets
        .changes(ticket.ticketId)
        .map(({ at, ...change }) => ({ at: helsinkiIso(at), ...change })),
    })),
  erase(tx, email) {
    const ids = tickets.erase(tx, email)
    // The notices to staff repeat the messages.
    const own = eraseMails(tx, ids.flatMap(mails.ofKey), { mails, dataDir })
    return { erased: ids.length, afterwards: own.afterwards }
  },
})

const callData = ({ calls }: ContactData): PersonalData => ({
  name: 'mail calls',
  policy: [
    {
      what: 'A message that did not reach us whole',
      data: 'What your browser sent us of it, with your e-mail address',
      ground: 'The same as for the message',
      kept: '30 days after it was passed on to us; until we have read it, where it waits for us',
    },
  ],
  forgottenBy: { job: forgetKind },
  find: (email) =>
    calls.about(email).map(({ id, kind, receivedAt, outcome, data }) => ({
      id,
      kind,
      receivedAt: helsinkiIso(receivedAt),
      outcome,
      content: JSON.parse(data ?? 'null') as unknown,
    })),
  erase: (tx, email) => ({ erased: calls.erase(tx, email) }),
})
