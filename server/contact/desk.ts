import { addDays, dateAt, dayStart } from '#shared/civil-dates.ts'
import type { DeskLine } from '#shared/desk-lines.ts'
import { paths } from '#shared/paths.ts'
import { plainLine } from '#shared/text.ts'
import { deskGroup, isoOf, type DeskSource } from '../desk-source.ts'
import type { Platform } from '../feature.ts'
import { waitingGroup, waitingLine } from './inbound/desk.ts'
import type { InboundStore } from './inbound/store.ts'
import type { Ticket } from './schema.ts'
import type { TicketStore } from './store.ts'

/** Tickets at the desk: late ones, those due today, those in quarantine, and emails that wait for staff. */
export function ticketDesk(
  { clock }: Pick<Platform, 'clock'>,
  tickets: Pick<TicketStore, 'overdue' | 'dueBetween' | 'withStatus' | 'newest' | 'ofEmail'>,
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
        }),
        ...deskGroup('Tickets in quarantine', tickets.withStatus('quarantined'), {
          line,
          command: 'pitlane tickets list --status quarantined',
        }),
        ...waitingGroup(inbound),
      ]
    },
    find: (words, limit) => tickets.newest({ search: words, limit }).map(line),
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
