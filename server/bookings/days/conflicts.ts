import { isByDates } from '#shared/bookings/sale-units.ts'
import { dateRange } from '#shared/dates/date-format.ts'
import type { DateRange } from '#shared/bookings/bookings.ts'
import { addDays, datesFrom, type CivilDate } from '#shared/dates/civil-dates.ts'
import { isWhole, placesLeft, withBlockedCrew, withBlockedPlaces } from './capacity.ts'
import { daysWithout } from './occupation.ts'
import type { BookingDeps } from '../acts/checks.ts'
import type { Block, Booking } from '../schema.ts'
import type { CrewStore } from '../store/crew-store.ts'
import type { BookingRules } from './rules.ts'

/** Max conflicting bookings named. */
const maxConflictsNamed = 10

/** What conflicts are computed from. */
type ConflictDeps = Pick<BookingDeps, 'rules' | 'bookings' | 'days' | 'crew'>

/** How many bookings of its service fit on each of its days, not counting itself. */
function placesWithout({ rules, days }: ConflictDeps, now: Booking, { from, to }: DateRange) {
  const blocks = days.blocks(from, to)
  const inForce = withBlockedCrew(rules(), blocks)
  const loads = withBlockedPlaces(daysWithout(days, now).loads(from, to), blocks, { from, to })
  return datesFrom(from, to).map(
    (date) => [date, placesLeft(inForce, now.service, date, loads.get(date) ?? [])] as const,
  )
}

/**
 * How many more bookings of its service fit on the fullest of a booking's days; negative if it's
 * overbooked. Null for work by month or project.
 */
export const spareCapacity = (deps: ConflictDeps, booking: Booking): number | null =>
  isByDates(booking.unit)
    ? Math.min(...placesWithout(deps, booking, booking).map(([, left]) => left)) - 1
    : null

/**
 * What conflicts with a booking as it is now, a line each for staff: blocked days, and days that are
 * full without it, with the bookings that fill them.
 */
export function conflictsOf(deps: ConflictDeps, now: Booking): string[] {
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
  const full = placesWithout(deps, now, { from, to }).flatMap(([date, left]) =>
    left < 1 ? [date] : [],
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

/**
 * What conflicts with someone working on a booking, a line each for staff: days off, blocked days,
 * other bookings on the same days, a service that they don't do.
 */
export function conflictsOfPerson(
  {
    rules,
    crew,
    days,
  }: {
    rules: () => BookingRules
    crew: Pick<CrewStore, 'ofPerson'>
    days: { blocks: (from: CivilDate, to: CivilDate) => Block[] }
  },
  { id, service, from, to, travelDays }: Booking,
  person: string,
): string[] {
  const member = rules().crew.find(({ name }) => name === person)
  if (!member) return [`${person} is no longer on the crew`]
  const [first, last] = [addDays(from, -travelDays), addDays(to, travelDays)]
  const overlaps = (span: { from: string; to: string }) => span.from <= last && span.to >= first
  const others = crew.ofPerson(person, addDays(first, -7), addDays(last, 7)).filter((other) => {
    const reach = other.travelDays
    return (
      other.id !== id &&
      overlaps({ from: addDays(other.from, -reach), to: addDays(other.to, reach) })
    )
  })
  return [
    ...(member.services.includes(service) ? [] : [`${person} doesn’t do ${service}`]),
    ...member.away
      .filter(overlaps)
      .map((span) => `${person} is away: ${dateRange(span.from, span.to)}`),
    ...days
      .blocks(first, last)
      .filter((block) => block.person === person)
      .map((block) => `${person} is blocked ${dateRange(block.from, block.to)}: ${block.reason}`),
    ...(others.length < member.capacity
      ? []
      : others.map(
          (other) =>
            `${person} is on ${other.reference}: ${other.service}, ${dateRange(other.from, other.to)}, ${other.state}`,
        )),
  ]
}
