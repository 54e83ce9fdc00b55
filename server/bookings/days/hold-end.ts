import {
  addDays,
  addWorkingDays,
  dateAt,
  dayStart,
  instantAt,
  isWorkingDay,
  timeAt,
  type CivilDate,
} from '#shared/dates/civil-dates.ts'
import { hourMs, minuteMs } from '#shared/dates/durations.ts'

/** The hours of the office clock in which an answer can be expected. */
const opens = '08:00'
const closes = '17:00'
const noon = '12:00'

/**
 * When a hold ends that begins now: after its hours, or, where that is at night, on a weekend or on
 * a Finnish holiday, at noon in Helsinki on the next working day. Staff have then been at work before
 * it ends. No one waits for an answer beyond the day that it's about, so it ends with the evening
 * before at the latest, or with today where that day has come.
 * @param now milliseconds of the epoch
 * @param first the first day that is held or, with other dates, given up for them
 * @returns milliseconds of the epoch
 */
export function holdEnd(now: number, holdHours: number, first: CivilDate): number {
  const today = dateAt(now)
  // The last minute of an evening says more than the first one of the next day.
  const begins = dayStart(first > today ? first : addDays(today, 1)) - minuteMs
  return Math.min(answerDue(now + holdHours * hourMs), begins)
}

/** An instant, or noon on the next working day where the office is closed then. */
function answerDue(at: number): number {
  const [date, time] = [dateAt(at), timeAt(at)]
  if (isWorkingDay(date) && time < closes) return time < opens ? instantAt(date, noon)! : at
  return instantAt(addWorkingDays(date, 1), noon)!
}

/**
 * When someone is reminded of what ends at an instant: some hours before it, or, where that is at
 * night, on a weekend or on a Finnish holiday, at noon in Helsinki on the last working day before, so
 * that there is someone at the office to ask.
 * @param end milliseconds of the epoch
 * @returns milliseconds of the epoch
 */
export function reminderBefore(end: number, hours: number): number {
  const at = end - hours * hourMs
  const [date, time] = [dateAt(at), timeAt(at)]
  if (isWorkingDay(date) && time >= closes) return instantAt(date, noon)!
  if (isWorkingDay(date) && time >= opens) return at
  let day = addDays(date, -1)
  while (!isWorkingDay(day)) day = addDays(day, -1)
  return instantAt(day, noon)!
}
