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
  const { today, tomorrow } = daysOf(at)
  const due = dailyDue(today, recurrence.daily)
  return due > at ? due : dailyDue(tomorrow, recurrence.daily)
}

/** When a recurring job that has never run is due: at once, but a daily one not before its time. */
export const firstDue = (recurrence: Recurrence, at: number): number =>
  'everyMinutes' in recurrence ? at : Math.max(at, dailyDue(daysOf(at).today, recurrence.daily))

/** The last instant that was asked for, with its day and the next: all jobs of a start ask for the same. */
let last = { at: Number.NaN, today: '', tomorrow: '' }

function daysOf(at: number): { today: string; tomorrow: string } {
  if (last.at !== at) {
    const today = dateAt(at)
    last = { at, today, tomorrow: addDays(today, 1) }
  }
  return last
}

/** When daily jobs are due, by day and time; of a few days. */
const dues = new Map<string, number>()

function dailyDue(date: string, time: string): number {
  const key = `${date} ${time}`
  const known = dues.get(key)
  if (known !== undefined) return known
  if (dues.size >= 200) dues.clear()
  const due = dueAt(date, time)
  dues.set(key, due)
  return due
}

/** On the day when the clocks skip the time, an hour later: the day must not pass without it. */
function dueAt(date: string, time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return instantAt(date, time) ?? dayStart(date) + (hours * 60 + minutes) * minuteMs
}
