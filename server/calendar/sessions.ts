import type { EventSession } from '#shared/calendar.ts'
import { addDays, civilDate, type CivilDate } from '#shared/dates/civil-dates.ts'
import type { Note } from '../content/files/extra-content-files.ts'
import type { StoredRow } from '../content/collection.ts'
import { hoursInHelsinki, instantIn } from './event-times.ts'

/** Sessions of one event, at most; a page shows all of them. */
const maxSessions = 80

/** `2027-06-05 10:00-11:30 Qualifying`; without the date, that of the line before. */
const linePattern =
  /^(?:(\d{4}-\d\d-\d\d)[ T])?\s*([01]?\d|2[0-3])[:.]([0-5]\d)(?:\s*[-–]\s*([01]?\d|2[0-3])[:.]([0-5]\d))?\s+(\S.{0,119})$/

/**
 * Reads the sessions of an event, a line each: `2027-06-05 10:00-11:30 Qualifying`, by the clock where
 * the event is. A line without a date is on the day of the line before, the first on the first day; an
 * end before its start is on the next day.
 * @param bad called for each line that isn't a session, with its number and what is wrong
 */
export function readSessions(
  text: string | null | undefined,
  { from, to, zone }: { from: CivilDate; to: CivilDate; zone: string | null },
  bad: (line: number, problem: string) => void = () => {},
): EventSession[] {
  const found: EventSession[] = []
  let date = from
  for (const [at, line] of (text ?? '').split('\n').entries()) {
    if (line.trim() === '') continue
    const [, day, hour, minute, endHour, endMinute, title] = linePattern.exec(line.trim()) ?? []
    if (!hour || !minute || !title) {
      bad(at + 1, 'is not of the form "YYYY-MM-DD HH:MM-HH:MM Title"')
      continue
    }
    if (day !== undefined && civilDate(day) === null) {
      bad(at + 1, `has a date that does not exist: ${day}`)
      continue
    }
    date = day ?? date
    if (date < from || date > addDays(to, 1)) {
      bad(at + 1, `is on ${date}, which isn’t a day of the event`)
      continue
    }
    if (found.length === maxSessions) {
      bad(at + 1, `is one of more than ${maxSessions}`)
      break
    }
    const start = `${hour.padStart(2, '0')}:${minute}`
    const end = endHour ? `${endHour.padStart(2, '0')}:${endMinute}` : null
    const endDate = end !== null && end < start ? addDays(date, 1) : date
    const startsAt = instantIn(date, start, zone)
    const endsAt = instantIn(endDate, end, zone)
    const inHelsinki = hoursInHelsinki(zone, { from: date, to: date, startsAt, endsAt })
    found.push({ title, date, start, end, startsAt, endsAt, inHelsinki })
  }
  return found.toSorted((a, b) => (`${a.date} ${a.start}` < `${b.date} ${b.start}` ? -1 : 1))
}

/** Notes the lines of a row's sessions that the site would leave out. */
export function checkSessions(row: StoredRow, note: Note): void {
  if (typeof row.sessions !== 'string' || typeof row.start !== 'string') return
  const from = row.start.slice(0, 10)
  const to = typeof row.end === 'string' && row.end ? row.end.slice(0, 10) : from
  if (civilDate(from) === null || civilDate(to) === null) return
  readSessions(row.sessions, { from, to, zone: null }, (line, problem) =>
    note(`line ${line} ${problem}`, 'sessions'),
  )
}
