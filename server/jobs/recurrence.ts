import { minuteMs } from '#shared/dates/durations.ts'
import { addDays, dateAt, dayStart, instantAt } from '#shared/dates/civil-dates.ts'
import type { Recurrence } from './job.ts'

/**
 * When a recurring job is due after an instant.
 * @returns milliseconds of the epoch, later than `at`
 */
export function nextDue(recurrence: Recurrence, at: number): number {
  if ('everyMinutes' in recurrence) {
    const every = recurrence.everyMinutes * minuteMs
    return Math.floor(at / every) * every + every
  }
  const today = dateAt(at)
  const due = dailyDue(today, recurrence.daily)
  return due > at ? due : dailyDue(addDays(today, 1), recurrence.daily)
}

/** When a recurring job that has never run is due: at once, but a daily one not before its time. */
export const firstDue = (recurrence: Recurrence, at: number): number =>
  'everyMinutes' in recurrence ? at : Math.max(at, dailyDue(dateAt(at), recurrence.daily))

/** On the day when the clocks skip the time, an hour later: the day must not pass without it. */
function dailyDue(date: string, time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return instantAt(date, time) ?? dayStart(date) + (hours * 60 + minutes) * minuteMs
}
