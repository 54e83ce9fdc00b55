import { hourMs } from '#shared/durations.ts'
import type { AvailableDay, DateRange, DayState } from '#shared/bookings.ts'
import {
  addDays,
  addMonths,
  dateAt,
  datesFrom,
  daysBetween,
  firstDayFrom,
  holiday,
  weekday,
  type CivilDate,
} from '#shared/civil-dates.ts'
import { placesLeft, type ServiceLoad } from './capacity.ts'
import type { BookingRules } from './rules.ts'
import type { Block, DayStore } from './day-store.ts'

/** Days that are looked at on either side of dates that cannot be had. */
const searchDays = 60
/** Ranges that are offered instead. */
const mostDatesOffered = 3

/** The days of a service at a moment: what its rules, its blocks and its bookings leave. */
export type ServiceDays = {
  /** Today and the first and last day that can be asked for. */
  readonly today: CivilDate
  readonly earliest: CivilDate
  readonly latest: CivilDate
  day(date: CivilDate): AvailableDay
  /** Why a day cannot be booked at all, in words for people; null for one that can. */
  closedBecause(date: CivilDate): string | null
}

/**
 * Reads the days of a service between two dates, from one look at the database.
 * @param options `now` in milliseconds of the epoch; `anyDay` leaves notice and horizon aside, as
 *   for a booking that was made in time
 */
export function readServiceDays({
  rules,
  days,
  service,
  from,
  to,
  now,
  anyDay = false,
}: {
  rules: BookingRules
  days: Pick<DayStore, 'loads' | 'blocks'>
  service: string
  from: CivilDate
  to: CivilDate
  now: number
  anyDay?: boolean
}): ServiceDays {
  const { earliest, latest, today } = bounds(rules, now)
  const travel = rules.services[service]?.travelDays ?? 0
  const loads = days.loads(addDays(from, -travel), addDays(to, travel))
  const blocks = days.blocks(from, to)
  const loadOf = (date: CivilDate) => loads.get(date) ?? []

  const places = (date: CivilDate): number => {
    let least = placesLeft(rules, service, date, loadOf(date))
    for (let away = 1; away <= travel && least > 0; away += 1) {
      for (const day of [addDays(date, -away), addDays(date, away)]) {
        least = Math.min(least, placesLeft(rules, service, day, loadOf(day), true))
      }
    }
    return least
  }

  const closedBecause = (date: CivilDate) =>
    !anyDay && (date < earliest || date > latest)
      ? 'Outside the days that can be booked'
      : closedByRules(rules, blocks, service, date, today)

  return {
    today,
    earliest,
    latest,
    closedBecause,
    day(date) {
      if (closedBecause(date) !== null) return { date, state: 'closed', free: 0 }
      const free = places(date)
      return { date, state: stateOf(rules, service, date, free, loadOf(date)), free }
    },
  }
}

/** Today and the first and last day that can be asked for, in Helsinki. */
export function bounds(rules: BookingRules, now: number) {
  const today = dateAt(now)
  return {
    today,
    earliest: firstDayFrom(now + rules.noticeHours * hourMs),
    latest: addMonths(today, rules.horizonMonths),
  }
}

/** The days of a range as the wire has them. */
export const availableDays = (days: ServiceDays, { from, to }: DateRange): AvailableDay[] =>
  datesFrom(from, to).map((date) => days.day(date))

/** The days of a range that cannot be had, in order. */
export const unavailableDays = (days: ServiceDays, { from, to }: DateRange): CivilDate[] =>
  datesFrom(from, to).filter((date) => days.day(date).free === 0)

/**
 * The nearest ranges of the same length that can be had whole, those closest to the requested one first.
 * @param read the days of the service between two dates
 */
export function nearestRanges(
  requested: DateRange,
  read: (from: CivilDate, to: CivilDate) => ServiceDays,
): DateRange[] {
  const length = daysBetween(requested.from, requested.to)
  const first = addDays(requested.from, -searchDays)
  const days = read(first, addDays(requested.to, searchDays))
  const free = datesFrom(first, addDays(requested.to, searchDays)).map(
    (date) => [date, days.day(date).free > 0] as const,
  )
  const found: (DateRange & { distance: number })[] = []
  for (let at = 0; at + length < free.length; at += 1) {
    const range = free.slice(at, at + length + 1)
    if (!range.every(([, isFree]) => isFree)) continue
    const [from] = range[0]!
    found.push({ from, to: range.at(-1)![0], distance: Math.abs(at - searchDays) })
  }
  return found
    .toSorted((a, b) => a.distance - b.distance || (a.from < b.from ? -1 : 1))
    .slice(0, mostDatesOffered)
    .map(({ from, to }) => ({ from, to }))
}

function closedByRules(
  rules: BookingRules,
  blocks: readonly Block[],
  service: string,
  date: CivilDate,
  today: CivilDate,
): string | null {
  if (!rules.services[service]) return 'This service cannot be booked'
  const inside = ({ from, to }: DateRange) => from <= date && date <= to
  const concerns = (each: DateRange & { service?: string | null }) =>
    inside(each) && (each.service ?? service) === service
  const blocked = rules.blocked.find(concerns) ?? blocks.find(concerns)
  if (blocked) return blocked.reason
  const { closedWeekdays } = rules
  if (closedWeekdays.length > 0 && closedWeekdays.includes(weekday(date))) {
    return 'We do not work on this day of the week'
  }
  const feast = rules.closedOnHolidays ? holiday(date) : null
  if (feast) return `${feast} is a public holiday`
  const season = rules.seasons.find((each) => inside(each) && each.opens > today)
  return season ? `This season opens for booking on ${season.opens}` : null
}

function stateOf(
  rules: BookingRules,
  service: string,
  date: CivilDate,
  free: number,
  load: readonly ServiceLoad[],
): DayState {
  if (free > 0) return free < placesLeft(rules, service, date, []) ? 'limited' : 'free'
  // A service whose crew is elsewhere is held when one of those bookings only holds the day.
  const sharesCrew = (other: string) =>
    other === service ||
    rules.crew.some(({ services }) => services.includes(service) && services.includes(other))
  return load.some(({ service: other, held }) => held > 0 && sharesCrew(other)) ? 'held' : 'taken'
}
