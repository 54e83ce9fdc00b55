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
 * How many more bookings of a service the crew of a day can take. Nobody is assigned before the
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
