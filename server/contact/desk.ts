import { addDays, dateAt, dayStart } from '#shared/dates/civil-dates.ts'
import type { DeskLine } from '#shared/desk/lines.ts'
import { paths } from '#shared/paths.ts'
import { plainLine } from '#shared/text/text.ts'
import { deskGroup, isoOf, type DeskSource } from '../contributions/desk-source.ts'
import type { Platform } from '../feature.ts'
import type { InboundStore } from './inbound/store.ts'
import type { Ticket, WaitingEmail, WaitingReason } from './schema.ts'
import type { TicketStore } from './store.ts'

/** Why an email wasn't added to a ticket automatically, for staff. */
export const waitingReasons: Readonly<Record<WaitingReason, string>> = {
  sender: 'not from the ticket’s address',
  named: 'names a ticket, but isn’t a reply to our emails',
  known: 'from someone with a ticket, but isn’t a reply',
  limit: 'this ticket has had too many messages',
  large: 'larger than 10 MB',
  unreadable: 'we couldn’t read it',
}

/** An email waiting in the mailbox; its line links to the ticket it seems to be about. */
const waitingLine = ({
  sender,
  subject,
  reason,
  receivedAt,
  ticketId,
}: WaitingEmail): DeskLine => ({
  label: 'Email',
  title: subject || '(no subject)',
  detail: [sender ?? 'sender unclear', ticketId, waitingReasons[reason], 'open in your mailbox']
    .filter(Boolean)
    .join(' · '),
  urgent: false,
  at: isoOf(receivedAt),
  href: ticketId === null ? null : paths.deskTicket(ticketId),
})

/**
 * Tickets at the desk: late ones, those due today, other new ones, those in quarantine, and emails that wait
 * for staff.
 */
export function ticketDesk(
  { clock }: Pick<Platform, 'clock'>,
  tickets: Pick<
    TicketStore,
    'overdue' | 'dueBetween' | 'withStatus' | 'search' | 'findId' | 'ofEmail'
  >,
  inbound: Pick<InboundStore, 'waiting' | 'waitingOf'>,
): DeskSource {
  const line = (ticket: Ticket): DeskLine => {
    const { ticketId, status, name, email, subject, receivedAt, dueAt } = ticket
    const waits = status === 'new' || status === 'open'
    return {
      label: 'Ticket',
      title: plainLine(subject),
      detail: [plainLine(name), email, ticketId, status].join(' · '),
      urgent: waits && dueAt < clock(),
      at: isoOf(receivedAt),
      href: paths.deskTicket(ticketId),
    }
  }
  return {
    today() {
      const now = clock()
      const tomorrow = dayStart(addDays(dateAt(now), 1))
      return [
        ...deskGroup('Late replies', tickets.overdue(now), {
          line,
          command: 'pitlane tickets due',
        }),
        ...deskGroup('Replies due today', tickets.dueBetween(now, tomorrow), {
          line,
          command: 'pitlane tickets list',
          isForToday: true,
        }),
        ...deskGroup('New messages', tickets.dueBetween(tomorrow, Number.MAX_SAFE_INTEGER), {
          line,
          command: 'pitlane tickets list',
        }),
        ...deskGroup('Tickets in quarantine', tickets.withStatus('quarantined'), {
          line,
          command: 'pitlane tickets list --status quarantined',
        }),
        ...deskGroup('Emails to read in your mailbox', inbound.waiting(), {
          line: waitingLine,
          command: 'pitlane tickets emails',
        }),
      ]
    },
    find: async (words, limit) =>
      (await tickets.search(words, limit)).flatMap((id) => tickets.findId(id) ?? []).map(line),
    ofPerson: (email) => [
      ...tickets.ofEmail(email).map(line),
      ...inbound.waitingOf(email).map(waitingLine),
    ],
    aboutPerson(email) {
      const theirs = tickets.ofEmail(email).toReversed()
      return {
        names: theirs.map(({ name }) => name),
        open: theirs.filter(({ status }) => status === 'new' || status === 'open').length,
      }
    },
  }
}
