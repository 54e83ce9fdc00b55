import type { AvailableDay, DateRange } from '#shared/bookings/bookings.ts'
import { bookingLimits } from '#shared/bookings/limits.ts'
import {
  daysLater,
  lastDayOf,
  lengthOf,
  monthOf,
  monthsLater,
  placeInWeek,
  sameDayIn,
} from '#shared/dates/months.ts'

/** The dates that a visitor has chosen so far; both empty at first. */
export type Chosen = { from: string; to: string }

/**
 * What choosing a day makes of the dates chosen so far: the first press is one day, a later day
 * makes it a range, and the next press starts over.
 * @param isFree whether a day can be had, as far as it is known
 */
export function choose(
  { from, to }: Chosen,
  date: string,
  isFree: (date: string) => boolean,
): DateRange {
  const extends_ = from !== '' && from === to && date > from
  if (!extends_ || lengthOf(from, date) > bookingLimits.maxDays) return { from: date, to: date }
  return isFree(date) ? { from, to: date } : { from: date, to: date }
}

/**
 * {@link choose} among the days of a month, by their date; days of another month are checked when the
 * form is sent.
 */
export function choosing(
  days: readonly AvailableDay[],
  chosen: Chosen,
): (date: string) => DateRange {
  const free = new Map(days.map((day) => [day.date, day.free > 0]))
  return (date) => choose(chosen, date, (each) => free.get(each) ?? true)
}

/** Whether a day lies in the chosen dates. */
export const isChosen = ({ from, to }: Chosen, date: string): boolean =>
  from !== '' && date >= from && date <= (to || from)

/** The state of a day in words: "1 place left". */
export function stateInWords({ state, free, reason }: Omit<AvailableDay, 'date'>): string {
  if (state === 'free') return 'free'
  if (state === 'limited') return free === 1 ? '1 place left' : `${free} places left`
  if (state === 'held') return 'on hold for another client'
  if (state === 'taken') return 'taken'
  return reason ? `closed: ${reason}` : 'closed'
}

/** What counts of a key that was pressed. */
type Pressed = { key: string; shiftKey: boolean }

/** Where a key leads to from a day; null for one that moves nothing. */
export function destination({ key, shiftKey }: Pressed, date: string): string | null {
  const months = (by: number) => sameDayIn(monthsLater(monthOf(date), by), date)
  switch (key) {
    case 'ArrowLeft':
      return daysLater(date, -1)
    case 'ArrowRight':
      return daysLater(date, 1)
    case 'ArrowUp':
      return daysLater(date, -7)
    case 'ArrowDown':
      return daysLater(date, 7)
    case 'Home':
      return within(daysLater(date, -placeInWeek(date)), date)
    case 'End':
      return within(daysLater(date, 6 - placeInWeek(date)), date)
    case 'PageUp':
      return months(shiftKey ? -12 : -1)
    case 'PageDown':
      return months(shiftKey ? 12 : 1)
    default:
      return null
  }
}

/** A date, or the nearest one of another date's month: a week ends where its month does. */
function within(date: string, other: string): string {
  const month = monthOf(other)
  if (date < `${month}-01`) return `${month}-01`
  return date > lastDayOf(month) ? lastDayOf(month) : date
}
