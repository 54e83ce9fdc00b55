import { addDays, type CivilDate } from '#shared/civil-dates.ts'
import { readServiceDays } from './availability.ts'
import { placesLeft } from './capacity.ts'
import type { BookingRules } from './rules.ts'
import type { DayStore } from '../store/day-store.ts'

/**
 * A day as a crew on site sees it: `free` takes another booking, `full` is booked out, `closed` cannot
 * be booked whatever else is booked, for the reason that stands with it.
 */
export type DayOnSite = { state: 'free' | 'full' | 'closed'; reason: string | null }

/**
 * Reads how free the days of a range are for work on site, which is that of services that need crew
 * (of all services where none does): a day is as free as the freest of them.
 * @param options `now` in milliseconds of the epoch
 */
export function readDaysOnSite({
  rules,
  days,
  from,
  to,
  now,
}: {
  rules: BookingRules
  days: Pick<DayStore, 'loads' | 'blocks'>
  from: CivilDate
  to: CivilDate
  now: number
}): (date: CivilDate) => DayOnSite {
  const all = Object.keys(rules.services)
  const needing = all.filter((service) => rules.services[service]!.needsCrew)
  const services = needing.length > 0 ? needing : all
  // A load for each service would be read anew, and they are the same for all.
  const margin = Math.max(0, ...services.map((service) => rules.services[service]!.travelDays))
  const loads = days.loads(addDays(from, -margin), addDays(to, margin))
  const blocks = days.blocks(from, to)
  const read = services.map((service) => {
    const kept = { loads: () => loads, blocks: () => blocks }
    return { service, ...readServiceDays({ rules, days: kept, service, from, to, now }) }
  })
  const known = new Map<CivilDate, DayOnSite>()

  const look = (date: CivilDate): DayOnSite => {
    const open = read.filter(({ closedBecause }) => closedBecause(date) === null)
    if (open.length === 0) {
      return {
        state: 'closed',
        reason: read[0]?.closedBecause(date) ?? 'No services can be booked',
      }
    }
    if (open.some(({ day }) => day(date).free > 0)) return { state: 'free', reason: null }
    const hasCrew = open.some(({ service }) => placesLeft(rules, service, date, []) > 0)
    return hasCrew
      ? { state: 'full', reason: null }
      : { state: 'closed', reason: 'Our crew is away on these days' }
  }

  return (date) => {
    const found = known.get(date) ?? look(date)
    known.set(date, found)
    return found
  }
}
