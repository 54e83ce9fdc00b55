import type { TicketStatus } from '#shared/contact.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'
import type { Timeline } from '../timeline/timeline.ts'
import type { Ticket } from './ticket.ts'
import type { TicketQueries } from './ticket-queries.ts'

/** Something that staff did with a ticket. */
type TicketChange = {
  readonly at: number
  readonly author: string
  /** `status` or `note`. */
  readonly kind: string
  readonly before: string | null
  readonly after: string
}

/** Prepares what staff do with tickets; each act is written down. */
export function createTicketChanges(
  db: Database,
  { find, timeline }: { find: TicketQueries['find']; timeline: Timeline },
) {
  const update = db.prepareWrite('UPDATE tickets SET status = :after WHERE ticket_id = :ticketId')

  return {
    /** What staff did with a ticket, oldest first. */
    changes: (ticketId: string): TicketChange[] =>
      timeline.of('ticket', ticketId).map(({ at, actor, act, before, after, note }) => ({
        at,
        author: actor,
        kind: act,
        before,
        after: after ?? note ?? '',
      })),

    /**
     * Gives a ticket another status and writes down who did; belongs into a transaction.
     * @returns the ticket as it was before, or null when there is no such ticket
     */
    setStatus(
      tx: Transaction,
      ticketId: string,
      status: TicketStatus,
      author: string,
    ): Ticket | null {
      const ticket = find(ticketId)
      if (!ticket || ticket.status === status) return ticket
      update.run(tx, { ticketId, after: status })
      timeline.record(tx, {
        thing: 'ticket',
        thingId: ticketId,
        actor: author,
        act: 'status',
        before: ticket.status,
        after: status,
      })
      return ticket
    },

    /** Adds a note to a ticket. @returns false when there is no such ticket */
    note(tx: Transaction, ticketId: string, text: string, author: string): boolean {
      if (!find(ticketId)) return false
      timeline.record(tx, {
        thing: 'ticket',
        thingId: ticketId,
        actor: author,
        act: 'note',
        note: text,
      })
      return true
    },
  }
}
