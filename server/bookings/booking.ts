import type { BookingState } from '#shared/bookings.ts'
import type { CivilDate } from '#shared/civil-dates.ts'

/** A booking. Times are milliseconds of the epoch, dates civil dates. */
export type Booking = {
  readonly id: number
  readonly reference: string
  readonly state: BookingState
  /** Grows with every change. */
  readonly sequence: number
  readonly service: string
  readonly from: CivilDate
  readonly to: CivilDate
  /** Days before and after on which the crew is on the road. */
  readonly travelDays: number
  /** HH:MM by the clock in Helsinki; null for whole days. */
  readonly start: string | null
  readonly end: string | null
  readonly place: string
  readonly eventId: string | null
  readonly eventTitle: string | null
  readonly name: string
  readonly email: string
  readonly phone: string | null
  readonly company: string | null
  readonly message: string | null
  readonly answer: string | null
  readonly requestedAt: number
  readonly changedAt: number
  readonly heldUntil: number | null
  readonly proven: boolean
}

type Row = Omit<Booking, 'proven'> & { proven: number }

/** The columns of a {@link Booking}. */
export const bookingColumns = `id, reference, state, sequence, service, first_date AS "from", last_date AS "to",
  travel_days AS travelDays, start_time AS start, end_time AS "end", place, event_id AS eventId, event_title AS eventTitle,
  name, email, phone, company, message, answer, requested_at AS requestedAt,
  changed_at AS changedAt, held_until AS heldUntil, proven`

/** A row as the rest of the site knows it. */
export const toBooking = (row: unknown): Booking => ({
  ...(row as Row),
  proven: (row as Row).proven === 1,
})

/** What a booking shows to all who may see it: its days, its place, and who made it. */
export const bookingFacts = (booking: Booking) => ({
  from: booking.from,
  to: booking.to,
  start: booking.start,
  end: booking.end,
  place: booking.place,
  event: booking.eventTitle,
  name: booking.name,
  email: booking.email,
  phone: booking.phone,
  company: booking.company,
  message: booking.message,
  answer: booking.answer,
})
