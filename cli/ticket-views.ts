import type { Ticket } from '#server/contact/ticket.ts'
import { helsinkiIso } from '#shared/helsinki-time.ts'
import { minute, type Row } from './print.ts'
import { harmless } from './terminal.ts'

/** A ticket that must be there. @throws when it is not */
export function mustFind<Value>(value: Value | null, ticketId: string): Value {
  if (value === null) throw new Error(`There is no ticket ${harmless(ticketId)}.`)
  return value
}

/** A ticket as tables show it. */
export const tableRow = ({
  ticketId,
  status: now,
  receivedAt,
  dueAt,
  name,
  email,
  subject,
}: Ticket): Row => ({
  ticket: ticketId,
  status: now,
  received: minute(receivedAt),
  due: minute(dueAt),
  name,
  email,
  subject,
})

/** All fields, as exports have them. */
export const fullRow = ({ date, receivedAt, dueAt, ...ticket }: Ticket) => ({
  ...ticket,
  date: helsinkiIso(Date.parse(date)),
  receivedAt: helsinkiIso(receivedAt),
  dueAt: helsinkiIso(dueAt),
})

/** The columns of a CSV export. */
export const columns = [
  'ticketId',
  'status',
  'name',
  'email',
  'subject',
  'message',
  'date',
  'receivedAt',
  'dueAt',
  'proven',
] as const satisfies (keyof Ticket)[]

/** The rows of an export, one at a time. */
export function* rowsOf(tickets: Iterable<Ticket>): Generator<Row> {
  for (const ticket of tickets) yield fullRow(ticket)
}
