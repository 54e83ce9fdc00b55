import type { BookingFacts } from './bookings.ts'

/** A booking as far as its facts are kept under other names. */
type Kept = Omit<BookingFacts, 'place' | 'event'> & { place: string; eventTitle: string | null }

/** What was asked for with a booking. */
export const bookingFacts = (booking: Kept): BookingFacts => ({
  from: booking.from,
  to: booking.to,
  start: booking.start,
  end: booking.end,
  zone: booking.zone,
  place: booking.place || null,
  event: booking.eventTitle,
  scope: booking.scope,
  budget: booking.budget,
  name: booking.name,
  email: booking.email,
  phone: booking.phone,
  company: booking.company,
  country: booking.country,
  vatId: booking.vatId,
  message: booking.message,
})
