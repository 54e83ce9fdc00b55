import type { Transaction } from '../db/group-commit.ts'
import { batchSize } from '../db/in-batches.ts'
import type { Database } from '../db/open.ts'
import type { Timeline } from '../timeline/timeline.ts'
import type { TicketQueries } from './ticket-queries.ts'

/** How long a ticket is kept, in months. */
export const ticketMonths = 24

/** Prepares the statements by which tickets are erased and forgotten, each with its changes. */
export function createTicketRetention(
  db: Database,
  {
    clock,
    timeline,
    ofEmail,
  }: { clock: () => number; timeline: Timeline; ofEmail: TicketQueries['ofEmail'] },
) {
  const old = db
    .prepare(`SELECT ticket_id FROM tickets WHERE received_at < :before LIMIT ${batchSize}`)
    .pluck()
  const remove = db.prepareWrite(`DELETE FROM tickets
    WHERE ticket_id IN (SELECT value FROM json_each(:ids))`)
  const removeAll = (tx: Transaction, ids: readonly string[]) => {
    remove.run(tx, { ids: JSON.stringify(ids) })
    timeline.forget(tx, 'ticket', ids)
  }

  return {
    /** Erases the tickets of an address with their changes. @returns their numbers */
    erase(tx: Transaction, email: string): string[] {
      const ids = ofEmail(email).map(({ ticketId }) => ticketId)
      removeAll(tx, ids)
      return ids
    },

    /**
     * Forgets a batch of tickets older than the privacy policy says they are kept, with their
     * changes. @returns how many
     */
    forgetOld(tx: Transaction): number {
      const ids = old.all({ before: monthsBefore(clock(), ticketMonths) }) as string[]
      removeAll(tx, ids)
      return ids.length
    },
  }
}

/** The same time of an earlier month; a day that the month lacks becomes the first of the next. */
function monthsBefore(at: number, months: number): number {
  const date = new Date(at)
  return date.setUTCMonth(date.getUTCMonth() - months)
}
