import type { AvailableDay, DateRange } from '#shared/bookings.ts'
import { bookingLimits } from '#shared/booking-limits.ts'
import { lengthOf } from '#shared/months.ts'

/** The dates that a visitor has chosen so far; both empty at first. */
export type Chosen = { from: string; to: string }

/**
 * What choosing a day makes of the dates chosen so far: the first press is one day, a later day
 * makes it a range, and the next press begins anew.
 * @param isFree whether a day can be had, as far as it is known
 */
export function choose(
  { from, to }: Chosen,
  date: string,
  isFree: (date: string) => boolean,
): DateRange {
  const extends_ = from !== '' && from === to && date > from
  if (!extends_ || lengthOf(from, date) > bookingLimits.daysMost) return { from: date, to: date }
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
