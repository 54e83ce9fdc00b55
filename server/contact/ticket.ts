import type { TicketStatus } from '#shared/contact.ts'

/** A kept message. Times are milliseconds of the epoch. */
export type Ticket = {
  readonly ticketId: string
  readonly status: TicketStatus
  readonly name: string
  readonly email: string
  readonly subject: string
  readonly message: string
  /** The ISO timestamp that the visitor's browser sent. */
  readonly date: string
  readonly receivedAt: number
  readonly dueAt: number
  /** Whether the call carried a form proof of ours. */
  readonly proven: boolean
}

/** A {@link Ticket} as the database has it. */
export type TicketRow = Omit<Ticket, 'proven'> & { proven: number }

/** The columns of a {@link TicketRow}. */
export const ticketColumns = `ticket_id AS ticketId, status, name, email, subject, message, sent_at AS date,
  received_at AS receivedAt, due_at AS dueAt, proven`

/** A row as the rest of the site knows it. */
export const toTicket = (row: TicketRow): Ticket => ({ ...row, proven: row.proven === 1 })
