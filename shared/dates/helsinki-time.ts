// Without Temporal, which pages could not afford; everything that computes with days and zones is in
// civil-dates.ts.

import { longDate } from './date-format.ts'

let made: Intl.DateTimeFormat | undefined

/** Made when it is first needed: pages that only name days do without it. */
const officeClock = () =>
  (made ??= new Intl.DateTimeFormat('en-CA', {
    timeZone: 'Europe/Helsinki',
    dateStyle: 'short',
    timeStyle: 'medium',
    hourCycle: 'h23',
  }))

/**
 * What the clock and the calendar in Helsinki show.
 * @param at milliseconds of the epoch
 * @returns `date` as YYYY-MM-DD, `time` as HH:MM:SS, `offset` from UTC in minutes (120 or 180)
 */
export function helsinki(at: number): { date: string; time: string; offset: number } {
  const [date, time] = officeClock().format(at).split(', ') as [string, string]
  const offset = Math.round((Date.parse(`${date}T${time}Z`) - at) / 60_000)
  return { date, time, offset }
}

/** An instant as ISO text with the Helsinki offset, such as 2026-11-20T14:30:00.000+02:00. */
export function helsinkiIso(at: number): string {
  const { date, time, offset } = helsinki(at)
  const milliseconds = String(((at % 1000) + 1000) % 1000).padStart(3, '0')
  return `${date}T${time}.${milliseconds}+0${offset / 60}:00`
}

/**
 * Until when something is there, as people read it: its last day, and the minute where it ends before
 * that day does.
 * @param end the instant at which it is over, in milliseconds of the epoch
 */
export const untilDay = (end: number): string =>
  helsinki(end).time === '00:00:00' ? longDate(helsinki(end - 1).date) : officeTime(end)

/** An instant as people read it: 20 November 2026, 14:30 (Helsinki). @param at milliseconds of the epoch */
export function officeTime(at: number): string {
  const { date, time } = helsinki(at)
  return `${longDate(date)}, ${time.slice(0, 5)} (Helsinki)`
}
