import type { TicketStatus } from '#shared/contact.ts'
import type { Database } from '../db/open.ts'
import { ticketColumns, toTicket, type Ticket, type TicketRow } from './ticket.ts'

/** Which tickets to list: received from (inclusive) and before, with a status. */
export type TicketFilter = { from?: number; before?: number; status?: TicketStatus }

/** Finds and lists tickets. */
export type TicketQueries = ReturnType<typeof createTicketQueries>

/** Prepares the statements that read tickets. */
export function createTicketQueries(db: Database, { clock }: { clock: () => number }) {
  const ofEmail = db.prepare(`SELECT ${ticketColumns} FROM tickets
    WHERE email = :email COLLATE NOCASE ORDER BY id`)
  const allIds = db.prepare('SELECT ticket_id FROM tickets').pluck()
  const one = db.prepare(`SELECT ${ticketColumns} FROM tickets WHERE ticket_id = :ticketId`)
  const numbered = db
    .prepare(`SELECT ticket_id FROM tickets
    WHERE ticket_id IN (SELECT value FROM json_each(:candidates)) AND email = :email COLLATE NOCASE
    ORDER BY id DESC LIMIT 1`)
    .pluck()
  const list = db.prepare(`SELECT ${ticketColumns} FROM tickets
    WHERE received_at >= :from AND received_at < :before AND (:status IS NULL OR status = :status)
    ORDER BY received_at, id`)
  const ofEmails = db.prepare(`SELECT ${ticketColumns} FROM tickets
    WHERE email COLLATE NOCASE IN (SELECT value FROM json_each(:emails))
      AND status NOT IN ('spam', 'quarantined')
    ORDER BY received_at DESC LIMIT :most`)
  const overdue = db.prepare(`SELECT ${ticketColumns} FROM tickets
    WHERE status IN ('new', 'open') AND due_at < :now ORDER BY due_at, id`)
  const quarantined = db
    .prepare("SELECT count(*) FROM tickets WHERE status = 'quarantined'")
    .pluck()

  return {
    find(ticketId: string): Ticket | null {
      const row = one.get({ ticketId }) as TicketRow | undefined
      return row ? toTicket(row) : null
    },

    /** The ticket number among some words that belongs to a ticket of an address. */
    findNumber: (candidates: readonly string[], email: string): string | null =>
      (numbered.get({ candidates: JSON.stringify(candidates), email }) as string | undefined) ??
      null,

    /** Tickets in the order in which they came, one at a time, so that an export of any size fits. */
    *list({ from = 0, before = Number.MAX_SAFE_INTEGER, status }: TicketFilter = {}) {
      for (const row of list.iterate({ from, before, status: status ?? null })) {
        yield toTicket(row as TicketRow)
      }
    },

    /** The ids of all tickets. */
    ids: () => allIds.all() as string[],

    /** Tickets that came from some addresses and are no spam, newest first. */
    ofEmails: (emails: readonly string[], most: number): Ticket[] =>
      (ofEmails.all({ emails: JSON.stringify(emails), most }) as TicketRow[]).map(toTicket),

    /** Tickets whose promised reply is late, the latest first. */
    overdue: () => (overdue.all({ now: clock() }) as TicketRow[]).map(toTicket),

    /** Every ticket of an address, spam and quarantined ones too. */
    ofEmail: (email: string): Ticket[] => (ofEmail.all({ email }) as TicketRow[]).map(toTicket),

    /** How many tickets wait in quarantine. */
    quarantined: () => quarantined.get() as number,
  }
}
