import type { Booking } from '#server/bookings/schema.ts'
import type { Context } from '#server/context.ts'
import { daysInWords } from '#shared/bookings/dates-in-words.ts'
import { isFailure } from '#shared/failures.ts'
import { findByName } from '../common/named.ts'

/**
 * A booking by its reference, whatever its spelling, or by the name, company or address of its customer.
 * Part of a reference is none, so that a slip never means another booking.
 * @throws when there is none; AmbiguousName when there are several
 */
export function bookingOf({ features }: Pick<Context, 'features'>, given: string): Booking {
  const { actions } = features.bookings
  try {
    return actions.find(given)
  } catch (error) {
    if (!isFailure(error) || error.failure !== 'missing') throw error
  }
  return findByName('Booking', given, [...actions.bookings.newest({})], {
    namesOf: ({ name, company, email }) => [name, company, email],
    about: (booking) =>
      [
        booking.reference,
        booking.state,
        daysInWords(booking),
        booking.company ?? booking.name,
        booking.email,
      ].join('  '),
  })
}
