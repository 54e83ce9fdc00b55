import type { BookingActions } from '#server/bookings/actions.ts'
import { bookingFacts, type Booking } from '#server/bookings/booking.ts'
import { minute, when, type Row } from './print.ts'
import { harmless } from './terminal.ts'

/** References are read out over the phone, so either case will do. */
export function mustFind({ bookings }: BookingActions, reference: string): Booking {
  const booking = bookings.find(reference.trim().toUpperCase())
  if (!booking) throw new Error(`There is no booking ${harmless(reference)}.`)
  return booking
}

/** The fields of a listing. */
export const tableRow = ({
  reference,
  state,
  service,
  from,
  to,
  place,
  name,
  email,
  heldUntil,
}: Booking): Row => ({
  reference,
  state,
  service,
  from,
  to,
  place,
  name,
  email,
  held: state === 'requested' && heldUntil !== null ? minute(heldUntil) : '',
})

/** All fields, as exports have them. */
export const fullRow = (booking: Booking) => ({
  reference: booking.reference,
  state: booking.state,
  service: booking.service,
  ...bookingFacts(booking),
  heldUntil: when(booking.heldUntil),
  requestedAt: when(booking.requestedAt),
  changedAt: when(booking.changedAt),
  sequence: booking.sequence,
  proven: booking.proven,
})

/** The columns of an export. */
export const columns = [
  'reference',
  'state',
  'service',
  'from',
  'to',
  'start',
  'end',
  'place',
  'event',
  'name',
  'email',
  'phone',
  'company',
  'message',
  'answer',
  'heldUntil',
  'requestedAt',
  'changedAt',
  'sequence',
  'proven',
] as const satisfies (keyof ReturnType<typeof fullRow>)[]

/** The rows of an export. */
export function* rowsOf(bookings: Iterable<Booking>): Generator<Row> {
  for (const booking of bookings) yield fullRow(booking)
}
