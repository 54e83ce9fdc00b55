import { Temporal } from 'temporal-polyfill'
import { dateAt, instantAt, officeZone, type CivilDate } from '#shared/dates/civil-dates.ts'
import type { Stretch } from '#shared/calendar.ts'
import { dayMs } from '#shared/dates/durations.ts'
import { helsinki } from '#shared/dates/helsinki-time.ts'
import { hoursBy } from '#shared/dates/hours-elsewhere.ts'
import type { Problem, StoredRow } from '../content/collection.ts'
import type { Note } from '../content/files/extra-content-files.ts'

/** The fields of a row that say when an event is, and where more is said of it. */
type EventTimes = {
  start: string
  end?: string | null | undefined
  zone?: string | null | undefined
  url?: string | null | undefined
}

/** Civil days that one event may last; a longer one is a mistyped year. */
export const maxEventDays = 92

/** 0026 is a year, but no one's. */
const plausibleYear = /^(?:19|2[01])/
const datePattern = /^\d{4}-\d\d-\d\d$/
const momentPattern = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?$/

/**
 * Brings the times of an event to one shape: `YYYY-MM-DD`, or `YYYY-MM-DDTHH:MM` local to `zone`,
 * with null for what is empty. An address that isn't a link is taken away.
 * @returns what is wrong with the row, by field; null where nothing is
 */
export function settleEvent(row: EventTimes): Problem | null {
  const zone = row.zone?.trim() || null
  const start = readTime(row.start)
  const end = row.end?.trim() ? readTime(row.end) : null
  if (!start) return wrong('start', 'Not a valid date, or local date and time')
  if (row.end?.trim() && !end) {
    return wrong('end', 'Not a valid date, or local date and time')
  }
  if (end && start.hasTime !== end.hasTime) {
    return wrong('end', 'Start and end must both have a time, or neither')
  }
  // Both are local to one zone, so the texts compare as the times do.
  if (end && end.text < start.text) return wrong('end', 'Before the start')
  if (end && end.date - start.date >= maxEventDays * dayMs) {
    return wrong('end', `More than ${maxEventDays} days after the start`)
  }
  if (start.hasTime && zone === null) return wrong('zone', 'Missing beside a time')
  if (zone !== null && !isZone(zone)) return wrong('zone', 'Not the name of a time zone')
  row.zone = zone
  row.start = start.text
  row.end = end?.text ?? null
  row.url = isLink(row.url) ? row.url : null
  return null
}

const wrong = (field: string, problem: string) => ({ field, problem })

const isLink = (url: string | null | undefined): boolean =>
  /^(?:https?:\/\/|\/(?!\/))/i.test(url ?? '')

type Time = {
  /** YYYY-MM-DD, with THH:MM where there is a time. */
  text: string
  hasTime: boolean
  /** The civil date, as milliseconds of the epoch at midnight UTC. */
  date: number
}

/** A date or a local date and time; null for what the calendar does not have. */
function readTime(given: string): Time | null {
  const text = given.trim().replace(' ', 'T')
  const hasTime = momentPattern.test(text)
  if (!hasTime && !datePattern.test(text)) return null
  const date = Date.parse(`${text.slice(0, 10)}T00:00:00Z`)
  // The 30th of February is no error to some parsers, but another day.
  const exists =
    !Number.isNaN(date) &&
    plausibleYear.test(text) &&
    new Date(date).toISOString().slice(0, 10) === text.slice(0, 10)
  return exists ? { text: text.slice(0, hasTime ? 16 : 10), hasTime, date } : null
}

const zones = new Map<string, boolean>()

/** Whether a name is one of the IANA time zones; asking the runtime is slow, so answers are kept. */
export function isZone(name: string): boolean {
  const known = zones.get(name)
  if (known !== undefined) return known
  const found = /^(?:UTC|[A-Za-z_]+(?:\/[\w+-]+)+)$/.test(name) && namesZone(name)
  // Real files name fewer zones than this; the others are ignored.
  if (zones.size < 1000) zones.set(name, found)
  return found
}

function namesZone(timeZone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone }))
  } catch {
    return false
  }
}

/**
 * The day of a moment by the calendar of each event's zone, by which it begins and is over; by the
 * office's where it has none. A zone is asked for once, since a season has few of them.
 */
export function daysAt(now: number): (event: { zone?: string | null | undefined }) => CivilDate {
  const known = new Map<string, CivilDate>()
  return ({ zone: given }) => {
    const zone = given && isZone(given) ? given : officeZone
    const date = known.get(zone) ?? dateAt(now, zone)
    known.set(zone, date)
    return date
  }
}

/**
 * An instant as ISO text; a time that the clocks skip is that of the next that there is.
 * @returns null without a time or a zone
 */
export function instantIn(
  date: CivilDate,
  time: string | null,
  zone: string | null,
): string | null {
  if (time === null || zone === null) return null
  const at = instantAt(date, time, zone) ?? instantAt(date, hourLater(time), zone)
  return at === null ? null : new Date(at).toISOString()
}

/** The hours of a stretch of time by the clock in Helsinki; see `Stretch` in shared/calendar.ts. */
export const hoursInHelsinki = (
  zone: string | null,
  stretch: Pick<Stretch, 'from' | 'to' | 'startsAt' | 'endsAt'>,
): string | null => (zone === 'Europe/Helsinki' ? null : hoursBy(helsinki, stretch) || null)

const hourLater = (time: string) =>
  `${String((Number(time.slice(0, 2)) + 1) % 24).padStart(2, '0')}${time.slice(2)}`

/**
 * Notes local times that a zone never shows, because its clocks go forward over them. The site would
 * take the time after; its author should say what was meant. What isn't a time, or has no zone, is found
 * with the rest of the row.
 */
export function checkEventTimes(row: StoredRow, note: Note): void {
  for (const field of ['start', 'end'] as const) {
    const given = row[field]
    if (typeof given !== 'string' || !given.includes('T') || typeof row.zone !== 'string') continue
    const [local, shown] = timesOf(given, row.zone)
    if (local && shown && !local.equals(shown)) {
      note(`the clocks of ${row.zone} never show ${given}: they go forward`, field)
    }
  }
}

/** A local time as it is written, and as the clocks of a zone show it. */
function timesOf(given: string, zone: string): [Temporal.PlainDateTime?, Temporal.PlainDateTime?] {
  try {
    const local = Temporal.PlainDateTime.from(given)
    return [local, local.toZonedDateTime(zone).toPlainDateTime()]
  } catch {
    return []
  }
}
