import {
  addDays,
  addWorkingDays,
  dateAt,
  instantAt,
  isWorkingDay,
  timeAt,
} from '#shared/civil-dates.ts'
import { hourMs } from '#shared/durations.ts'

/** The hours of the office clock in which an answer can be expected. */
const opens = '08:00'
const closes = '17:00'
const noon = '12:00'

/**
 * When a hold ends that begins now: after its hours, or, where that is at night, on a weekend or on
 * a Finnish holiday, at noon in Helsinki on the next working day. Staff have then been at work before
 * it ends.
 * @param now milliseconds of the epoch
 * @returns milliseconds of the epoch
 */
export function holdEnd(now: number, holdHours: number): number {
  const at = now + holdHours * hourMs
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
