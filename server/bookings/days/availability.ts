import { hourMs } from '#shared/dates/durations.ts'
import type { AvailableDay, DateRange, DayState } from '#shared/bookings/bookings.ts'
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
} from '#shared/dates/civil-dates.ts'
import { longDate } from '#shared/dates/date-format.ts'
import {
  isWhole,
  placesLeft,
  withBlockedCrew,
  withBlockedPlaces,
  type ServiceLoad,
} from './capacity.ts'
import type { BookingRules } from './rules.ts'
import type { Block } from '../schema.ts'
import type { DayStore } from '../store/day-store.ts'

/** Days searched before and after unavailable dates. */
const searchDays = 60
/** The reason shown for a closed day without a public one. */
const closedInWords = 'We’re closed on this day'
/** Max alternative ranges offered. */
const maxDatesOffered = 3

/** The availability of a service's days, after rules, blocks and bookings. */
export type ServiceDays = {
  /** Today and the first and last day that can be asked for. */
  readonly today: CivilDate
  readonly earliest: CivilDate
  readonly latest: CivilDate
  day(date: CivilDate): AvailableDay
  /** Why a day can't be booked at all, in words; null if it can. */
  closedBecause(date: CivilDate): string | null
}

/**
 * Reads the days of a service between two dates, from one look at the database.
 * @param options `now` in milliseconds of the epoch; `anyDay` leaves notice and horizon aside, as
 *   for a booking that was made in time
 */
export function readServiceDays({
  rules: inForce,
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
  const { earliest, latest, today } = bounds(inForce, now)
  const travel = inForce.services[service]?.travelDays ?? 0
  const [first, last] = [addDays(from, -travel), addDays(to, travel)]
  const blocks = days.blocks(first, last)
  const rules = withBlockedCrew(inForce, blocks)
  const loads = withBlockedPlaces(days.loads(first, last), blocks, { from: first, to: last })
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
    (anyDay ? null : outside(rules, date, { today, earliest, latest })) ??
    closedByRules(rules, blocks, service, date, today)

  return {
    today,
    earliest,
    latest,
    closedBecause,
    day(date) {
      const reason = closedBecause(date)
      if (reason !== null) return { date, state: 'closed', free: 0, reason }
      const free = places(date)
      return { date, state: stateOf(inForce, service, date, free, loadOf(date)), free }
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

/** The unavailable days of a range, in order. */
export const unavailableDays = (days: ServiceDays, { from, to }: DateRange): CivilDate[] =>
  datesFrom(from, to).filter((date) => days.day(date).free === 0)

/**
 * The nearest available ranges of the same length, closest first. Their weekends fall where the
 * requested range has them, since a race weekend is no use from Monday to Wednesday; others are offered
 * only if there are none.
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
  const kindOf = (dates: readonly CivilDate[]) => dates.map(isWeekend).join(' ')
  const kind = kindOf(datesFrom(requested.from, requested.to))
  const found: (DateRange & { distance: number; isSame: boolean })[] = []
  for (let at = 0; at + length < free.length; at += 1) {
    const range = free.slice(at, at + length + 1)
    if (!range.every(([, isFree]) => isFree)) continue
    const [from] = range[0]!
    // Staff can use any day that hasn't passed.
    if (from < days.today) continue
    found.push({
      from,
      to: range.at(-1)![0],
      distance: Math.abs(at - searchDays),
      isSame: kindOf(range.map(([date]) => date)) === kind,
    })
  }
  const same = found.filter(({ isSame }) => isSame)
  return (same.length > 0 ? same : found)
    .toSorted((a, b) => a.distance - b.distance || (a.from < b.from ? -1 : 1))
    .slice(0, maxDatesOffered)
    .map(({ from, to }) => ({ from, to }))
}

/** The available parts of a range, each as long as possible. */
export function freeParts(days: ServiceDays, { from, to }: DateRange): DateRange[] {
  const parts: { from: CivilDate; to: CivilDate }[] = []
  let isOpen = false
  for (const date of datesFrom(from, to)) {
    const isFree = days.day(date).free > 0
    if (isFree && isOpen) parts.at(-1)!.to = date
    else if (isFree) parts.push({ from: date, to: date })
    isOpen = isFree
  }
  return parts
}

const isWeekend = (date: CivilDate): boolean => weekday(date) > 5

/** Why a day lies outside those that can be asked for, in words for people; null where it doesn't. */
function outside(
  { noticeHours }: BookingRules,
  date: CivilDate,
  { today, earliest, latest }: ReturnType<typeof bounds>,
): string | null {
  if (date < today) return 'This day has passed'
  if (date < earliest) return `We need ${noticeHours} hours’ notice`
  return date > latest ? `Bookings are open until ${longDate(latest)}` : null
}

const weekdays = [
  'Mondays',
  'Tuesdays',
  'Wednesdays',
  'Thursdays',
  'Fridays',
  'Saturdays',
  'Sundays',
] as const

function closedByRules(
  rules: BookingRules,
  blocks: readonly Block[],
  service: string,
  date: CivilDate,
  today: CivilDate,
): string | null {
  if (!rules.services[service]) return 'This service can’t be booked online'
  const inside = ({ from, to }: DateRange) => from <= date && date <= to
  const concerns = (each: DateRange & { service?: string | null }) =>
    inside(each) && (each.service ?? service) === service
  // What staff write as their reason may be no one else's business.
  const blocked = rules.blocked.find(concerns)
  if (blocked) return blocked.publicReason ?? closedInWords
  if (blocks.some((block) => isWhole(block) && concerns(block))) return closedInWords
  const { closedWeekdays } = rules
  const isOpened = rules.open.some(inside)
  if (!isOpened && closedWeekdays.length > 0 && closedWeekdays.includes(weekday(date))) {
    return `We don’t work on ${weekdays[weekday(date) - 1]}`
  }
  const publicHoliday = rules.closedOnHolidays && !isOpened ? holiday(date) : null
  if (publicHoliday) return `${publicHoliday} is a public holiday`
  const season = rules.seasons.find((each) => inside(each) && each.opens > today)
  return season ? `Opens for booking on ${longDate(season.opens)}` : null
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
