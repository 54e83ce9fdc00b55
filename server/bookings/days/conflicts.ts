import { isByDates } from '#shared/sale-units.ts'
import { dateRange } from '#shared/date-format.ts'
import { datesFrom } from '#shared/civil-dates.ts'
import { placesLeft } from './capacity.ts'
import { conflictsOfPerson, isWhole, withBlockedCrew, withBlockedPlaces } from './crew-days.ts'
import { daysWithout } from './occupation.ts'
import type { BookingDeps } from '../acts/take-request.ts'
import type { Booking } from '../schema.ts'

/** Other bookings that are named as colliding, at most. */
const maxConflictsNamed = 10

/**
 * What stands against a booking as it is now, a line each for staff: blocked days, and days that are
 * full without it, with the bookings that fill them.
 */
export function conflictsOf(
  deps: Pick<BookingDeps, 'rules' | 'bookings' | 'days' | 'crew'>,
  now: Booking,
): string[] {
  const { rules, bookings, days, crew } = deps
  // Of other dates that are asked for, those are what is decided.
  const booking = now.change ? { ...now, from: now.change.from, to: now.change.to } : now
  const { id, service, unit, from, to } = booking
  if (!isByDates(unit)) return []
  const people = crew.of(booking).flatMap((person) => conflictsOfPerson(deps, booking, person))
  const blocked = [...rules().blocked, ...days.blocks(from, to)]
    .filter(
      (block) =>
        !('person' in block && !isWhole(block)) &&
        block.from <= to &&
        block.to >= from &&
        (block.service ?? service) === service,
    )
    .map((block) => `${dateRange(block.from, block.to)} is blocked: ${block.reason}`)
  const blocks = days.blocks(from, to)
  const inForce = withBlockedCrew(rules(), blocks)
  const loads = withBlockedPlaces(daysWithout(days, now).loads(from, to), blocks)
  const full = datesFrom(from, to).filter(
    (date) => placesLeft(inForce, service, date, loads.get(date) ?? []) < 1,
  )
  if (full.length === 0) return [...blocked, ...people]
  const others = bookings
    .overlapping(full[0]!, full.at(-1)!, id)
    .slice(0, maxConflictsNamed)
    .map(
      (other) =>
        `${other.reference}: ${other.service}, ${dateRange(other.from, other.to)}, ${other.state}, ${other.company ?? other.name}`,
    )
  return [
    ...blocked,
    ...people,
    `No slots left on ${full.map((date) => dateRange(date, date)).join(', ')}`,
    ...others,
  ]
}
