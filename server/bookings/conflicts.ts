import { dateRange } from '#shared/date-format.ts'
import { datesFrom } from '#shared/civil-dates.ts'
import { placesLeft } from './capacity.ts'
import { daysWithout } from './occupation.ts'
import type { BookingDeps } from './requests.ts'
import type { Booking } from './booking.ts'

/** Other bookings that are named as colliding, at most. */
const mostConflictsNamed = 10

/**
 * What stands against a booking as it is now, a line each for staff: blocked days, and days that are
 * full without it, with the bookings that fill them.
 */
export function conflictsOf(
  { rules, bookings, days }: Pick<BookingDeps, 'rules' | 'bookings' | 'days'>,
  booking: Booking,
): string[] {
  const { id, service, from, to } = booking
  const blocked = [...rules().blocked, ...days.blocks(from, to)]
    .filter(
      (block) => block.from <= to && block.to >= from && (block.service ?? service) === service,
    )
    .map((block) => `${dateRange(block.from, block.to)} is blocked: ${block.reason}`)
  const loads = daysWithout(days, booking).loads(from, to)
  const full = datesFrom(from, to).filter(
    (date) => placesLeft(rules(), service, date, loads.get(date) ?? []) < 1,
  )
  if (full.length === 0) return blocked
  const others = bookings
    .overlapping(full[0]!, full.at(-1)!, id)
    .slice(0, mostConflictsNamed)
    .map(
      (other) =>
        `${other.reference}: ${other.service}, ${dateRange(other.from, other.to)}, ${other.state}, ${other.company ?? other.name}`,
    )
  return [
    ...blocked,
    `No place is left on ${full.map((date) => dateRange(date, date)).join(', ')}`,
    ...others,
  ]
}
