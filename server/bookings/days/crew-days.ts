import { dateRange } from '#shared/date-format.ts'
import { addDays, datesFrom, type CivilDate } from '#shared/civil-dates.ts'
import type { Block, Booking } from '../schema.ts'
import type { CrewStore } from '../store/crew-store.ts'
import type { ServiceLoad } from './capacity.ts'
import type { BookingRules } from './rules.ts'

/** Whether a block closes its days for a service, rather than taking a person or a place away. */
export const isWhole = ({ person, places }: Pick<Block, 'person' | 'places'>): boolean =>
  person === null && places === null

/** The rules with the people away whom staff have blocked. */
export function withBlockedCrew(rules: BookingRules, blocks: readonly Block[]): BookingRules {
  const away = blocks.filter(({ person }) => person !== null)
  if (away.length === 0) return rules
  return {
    ...rules,
    crew: rules.crew.map((person) => ({
      ...person,
      away: [...person.away, ...away.filter((block) => block.person === person.name)],
    })),
  }
}

/** The loads of days with the places taken that staff have blocked. */
export function withBlockedPlaces(
  loads: ReadonlyMap<CivilDate, readonly ServiceLoad[]>,
  blocks: readonly Block[],
): ReadonlyMap<CivilDate, readonly ServiceLoad[]> {
  const taken = blocks.filter(({ places }) => places !== null)
  if (taken.length === 0) return loads
  const full = new Map<CivilDate, ServiceLoad[]>(
    Array.from(loads, ([date, load]) => [date, load.map((each) => ({ ...each }))]),
  )
  for (const { service, places, from, to } of taken) {
    for (const date of datesFrom(from, to)) {
      const load = full.get(date) ?? []
      const own = load.find((each) => each.service === service)
      if (own) own.confirmed += places!
      else load.push({ service: service!, held: 0, confirmed: places!, travelling: 0 })
      full.set(date, load)
    }
  }
  return full
}

/**
 * What stands against someone working on a booking, a line each for staff: days off, blocked days,
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
