import type { DateRange } from '#shared/bookings/bookings.ts'
import { datesFrom, type CivilDate } from '#shared/dates/civil-dates.ts'
import type { Block } from '../schema.ts'
import type { BookingRules } from './rules.ts'

/** How many bookings of a service occupy a day, by work and by travel, held and confirmed. */
export type ServiceLoad = {
  service: string
  /** Requests that hold the day. */
  held: number
  confirmed: number
  /** Bookings whose crew is on the road on this day. */
  travelling: number
}

/**
 * How many more bookings of a service a day takes: bounded by the service's own capacity, and by
 * the crew, where everyone who is needed elsewhere that day is not there.
 * @param date YYYY-MM-DD
 * @param load what the day holds already, of all services
 * @param travelOnly the day would be one of travel: it needs crew, but no place of the service
 */
export function placesLeft(
  rules: BookingRules,
  service: string,
  date: string,
  load: readonly ServiceLoad[],
  travelOnly = false,
): number {
  const own = rules.services[service]
  if (!own) return 0
  const used = load.find((each) => each.service === service)
  const places = travelOnly
    ? Number.MAX_SAFE_INTEGER
    : own.capacity - (used ? used.held + used.confirmed : 0)
  if (places <= 0) return 0
  if (!own.needsCrew || rules.crew.length === 0) return places
  return Math.min(places, crewLeft(rules, service, date, load))
}

/**
 * How many more bookings of a service the crew of a day can take. No one is assigned before the
 * work begins, so the question is whether all bookings together find someone: a matching of
 * bookings to free hands, each found by an augmenting path.
 */
function crewLeft(
  rules: BookingRules,
  service: string,
  date: string,
  load: readonly ServiceLoad[],
): number {
  const hands = handsOf(rules, date)
  const doneBy = new Map<number, string>()
  const place = (wanted: string, tried: Set<number>): boolean => {
    for (const [hand, services] of hands.entries()) {
      if (!services.includes(wanted) || tried.has(hand)) continue
      tried.add(hand)
      const other = doneBy.get(hand)
      if (other === undefined || place(other, tried)) {
        doneBy.set(hand, wanted)
        return true
      }
    }
    return false
  }
  for (const { service: other, held, confirmed, travelling } of load) {
    if (rules.services[other]?.needsCrew !== true) continue
    for (let booking = held + confirmed + travelling; booking > 0; booking -= 1) {
      if (!place(other, new Set())) break
    }
  }
  let left = 0
  while (left < hands.length && place(service, new Set())) left += 1
  return left
}

/** What each pair of hands of a day can do; someone with a capacity of 2 has two of them. */
function handsOf({ crew }: BookingRules, date: string): readonly (readonly string[])[] {
  return crew
    .filter(({ away }) => !away.some(({ from, to }) => from <= date && date <= to))
    .flatMap(({ services, capacity }) => Array.from({ length: capacity }, () => services))
}

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

/**
 * The loads of days with the places taken that staff have blocked.
 * @param range the days that are looked at; a block may go on for centuries
 */
export function withBlockedPlaces(
  loads: ReadonlyMap<CivilDate, readonly ServiceLoad[]>,
  blocks: readonly Block[],
  range: DateRange,
): ReadonlyMap<CivilDate, readonly ServiceLoad[]> {
  const taken = blocks.filter(({ places }) => places !== null)
  if (taken.length === 0) return loads
  const full = new Map<CivilDate, ServiceLoad[]>(
    Array.from(loads, ([date, load]) => [date, load.map((each) => ({ ...each }))]),
  )
  for (const { service, places, from, to } of taken) {
    const [first, last] = [from > range.from ? from : range.from, to < range.to ? to : range.to]
    for (const date of datesFrom(first, last)) {
      const load = full.get(date) ?? []
      const own = load.find((each) => each.service === service)
      if (own) own.confirmed += places!
      else load.push({ service: service!, held: 0, confirmed: places!, travelling: 0 })
      full.set(date, load)
    }
  }
  return full
}
