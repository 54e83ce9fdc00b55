import ICAL from 'ical.js'
import { dateAt, timeAt } from '#shared/civil-dates.ts'
import { slugOf } from '#shared/slug.ts'
import { parseCsv } from './csv.ts'
import { eventFields, type StoredEvent } from './event-file.ts'

/** Events of one file, at most; a larger one is no season. */
const mostEvents = 20_000

/**
 * Reads the events of a CSV file: a column for each field, as `events export` writes them. A column
 * that is not there leaves its field as it is; an empty cell takes it away.
 * @throws an Error with the line of a row without id, title or start
 */
export function eventsOfCsv(text: string): StoredEvent[] {
  return bounded(parseCsv(text)).map(({ line, fields }) => {
    const { id, title, start } = fields
    if (!title || !start) throw new Error(`Line ${line} has no ${title ? 'start' : 'title'}.`)
    const given = eventFields.flatMap((name) =>
      fields[name] === undefined ? [] : [[name, fields[name] || null] as const],
    )
    return {
      ...Object.fromEntries(given),
      id: id || `${slugOf(title)}-${start.slice(0, 4)}`,
      title,
      start,
    }
  })
}

/**
 * Reads the events of an iCalendar file (RFC 5545). Its UIDs become the ids, so that a later edition
 * of the same file changes events and doubles none. DTEND is exclusive there and inclusive here.
 * @throws an Error for text that is no calendar, and for recurring events
 */
export function eventsOfIcs(text: string): StoredEvent[] {
  let calendar: ICAL.Component
  try {
    calendar = new ICAL.Component(
      ICAL.parse(text) as ConstructorParameters<typeof ICAL.Component>[0],
    )
  } catch (error) {
    throw new Error(`The file is no calendar: ${(error as Error).message}`, { cause: error })
  }
  return bounded(calendar.getAllSubcomponents('vevent')).map(eventOf)
}

function eventOf(component: ICAL.Component): StoredEvent {
  const event = new ICAL.Event(component)
  const { startDate: start, endDate: end, summary, uid } = event
  if (!summary || !start) throw new Error(`The event ${uid || '?'} has no name or no start.`)
  if (event.isRecurring()) {
    throw new Error(`"${summary}" repeats; write each of its dates as an event of its own.`)
  }
  const status = String(component.getFirstPropertyValue('status') ?? '').toUpperCase()
  const url = component.getFirstPropertyValue('url')
  const [venue = '', city = '', country = ''] = (event.location ?? '')
    .split(',')
    .map((part) => part.trim())
  const times = start.isDate
    ? { start: start.toString(), end: inclusive(start, end) }
    : timesOf(component, event)
  return {
    id: uid ? idOf(uid) : `${slugOf(summary)}-${start.year}`,
    title: summary,
    ...times,
    ...(venue && { venue }),
    ...(city && { city }),
    ...(country && { country }),
    ...(event.description && { description: event.description }),
    ...(url && { url: String(url) }),
    ...(status === 'CANCELLED' && { status: 'cancelled' }),
    ...(status === 'TENTATIVE' && { status: 'tbc' }),
    ...(status === 'CONFIRMED' && { status: 'scheduled' }),
  }
}

/** Our own feeds put a word before the id and the host behind it. */
const idOf = (uid: string) =>
  slugOf(uid.replace(/^event-|@[^@]*$/g, '')).slice(0, 80) || slugOf(uid)

/** The last day itself, of an end that is the day after it. */
function inclusive(start: ICAL.Time, end: ICAL.Time | null): string {
  if (!end || end.compare(start) <= 0) return start.toString()
  const last = end.clone()
  last.adjust(-1, 0, 0, 0)
  return last.toString()
}

/** Start and end by the clock of the zone that they share; one of them may be told in UTC. */
function timesOf(
  component: ICAL.Component,
  { startDate: start, endDate: end, summary }: ICAL.Event,
): { start: string; end: string | null; zone: string } {
  const begins = zoneOf(component, 'dtstart', start)
  const ends = component.hasProperty('dtend') ? zoneOf(component, 'dtend', end) : begins
  const zone = begins === 'UTC' ? ends : begins
  if (ends !== zone && ends !== 'UTC') {
    throw new Error(`"${summary}" ends in another time zone than it begins in.`)
  }
  const local = (time: ICAL.Time) => {
    if (time.zone.tzid !== 'UTC' || zone === 'UTC') return time.toString().slice(0, 16)
    const at = time.toJSDate().getTime()
    return `${dateAt(at, zone)}T${timeAt(at, zone)}`
  }
  return { start: local(start), end: end ? local(end) : null, zone }
}

/**
 * The zone that a time names, whether or not the file describes it; UTC has its own mark.
 * @throws an Error for a time that belongs nowhere
 */
function zoneOf(component: ICAL.Component, name: 'dtstart' | 'dtend', time: ICAL.Time): string {
  if (time.zone.tzid === 'UTC') return 'UTC'
  const zone = component.getFirstProperty(name)?.getFirstParameter('tzid')
  if (!zone) throw new Error(`The time ${time.toString()} has no time zone.`)
  return zone
}

function bounded<Item>(items: readonly Item[]): readonly Item[] {
  if (items.length > mostEvents) throw new Error(`A file has at most ${mostEvents} events.`)
  return items
}
