import { dayAndMonth } from './short-dates.ts'

/** What a clock and a calendar show: YYYY-MM-DD, and HH:MM with or without seconds. */
type Shown = { date: string; time: string }

/** A stretch of time: its civil dates where it is, and its instants in ISO 8601. */
type Instants = { from: string; to: string; startsAt: string | null; endsAt: string | null }

/**
 * Hours by another clock than that of their place: "14:00–18:00"; with the day where that is another
 * one: "15 May, 01:00–04:00", also that of a night at its place that is a single day there.
 * @param read what the other clock shows, by milliseconds of the epoch
 * @returns empty where the hours are not known
 */
export function hoursBy(
  read: (at: number) => Shown,
  { startsAt, endsAt, from, to }: Instants,
): string {
  if (startsAt === null) return ''
  const start = read(Date.parse(startsAt))
  const end = endsAt === null ? null : read(Date.parse(endsAt))
  const text = ({ date, time }: Shown, expected: string) =>
    date === expected ? time.slice(0, 5) : `${dayAndMonth(date)}, ${time.slice(0, 5)}`
  const isOneDay = end?.date === start.date
  const first = text(start, isOneDay && from !== to ? '' : from)
  // What is on one day where it is, or there, names another day once, with its start.
  return end === null ? first : `${first}–${text(end, isOneDay || from === to ? start.date : to)}`
}
