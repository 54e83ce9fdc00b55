import ICAL from 'ical.js'
import { addDays, dateAt, timeAt } from '#shared/dates/civil-dates.ts'
import { slugOf } from '#shared/text/slug.ts'
import type { StoredEvent } from '../schema.ts'
import { rejectDuplicates, type ImportRow } from './merge.ts'
import type { ImportOptions } from './options.ts'
import { placeOf, type Place } from './places.ts'
import { plainTextOf } from './plain-text.ts'
import { describeZones, zoneOf } from './file-zones.ts'
import { zoneNamed, zoneOfCountry } from './zones.ts'

/** Seconds of the longest event. */
const maxEventDays = 366 * 86_400

/** Events of one file, at most; a larger one isn't a season. */
const maxEvents = 20_000

/** Dates of one series of dates, at most, and how many are looked at to find them. */
const maxDates = 200
const maxDatesSeen = 5_000

/** The first and last day of the season, as civil dates. */
type Season = { first: string; last: string }

/**
 * Reads the events of an iCalendar file (RFC 5545). Its UIDs become the ids, so a later edition
 * of the same file changes events and doubles none. DTEND is exclusive there and inclusive here.
 * Repeating events become one event for each date of the season, which is last year to next year.
 * @throws an Error for text that isn't a calendar, and for one with too many events
 */
export function eventsOfIcs(text: string, options: ImportOptions): ImportRow[] {
  const rows: ImportRow[] = []
  for (const calendar of calendarsOf(text)) {
    rows.push(...rowsOfCalendar(calendar, { options, from: rows.length }))
    if (rows.length > maxEvents) throw tooMany()
  }
  return rejectDuplicates(rows, 'UID')
}

/** The calendars of a file: usually one, several where files were joined (RFC 5545, 3.4). */
function calendarsOf(text: string): ICAL.Component[] {
  try {
    const parsed = ICAL.parse(text) as unknown[]
    const all = typeof parsed[0] === 'string' ? [parsed] : parsed
    return all.map(
      (each) => new ICAL.Component(each as ConstructorParameters<typeof ICAL.Component>[0]),
    )
  } catch (error) {
    throw new Error(`The file isn’t a calendar: ${(error as Error).message}`, { cause: error })
  }
}

/** @param from how many events the calendars before it had */
function rowsOfCalendar(
  calendar: ICAL.Component,
  { options, from }: { options: ImportOptions; from: number },
): ImportRow[] {
  const components = calendar.getAllSubcomponents('vevent')
  if (components.length > maxEvents) throw tooMany()
  describeZones(calendar, components)
  const year = Number(dateAt(options.now).slice(0, 4))
  const season = { first: `${year - 1}-01-01`, last: `${year + 1}-12-31` }
  const calendarZone = zoneNamed(String(calendar.getFirstPropertyValue('x-wr-timezone') ?? ''))
  const defaults = { ...options, zone: options.zone ?? calendarZone }
  const moved = exceptions(components)
  const current = newestOf(components)
  return components
    .filter((component) => !component.hasProperty('recurrence-id') || !moved.has(uidOf(component)))
    .filter((component) => (current.get(uidOf(component)) ?? 0) <= sequenceOf(component))
    .flatMap((component, at) => rowsOf(component, from + at, { defaults, season, moved }))
}

const sequenceOf = (component: ICAL.Component) =>
  Number(component.getFirstPropertyValue('sequence') ?? 0) || 0

/** The number of the newest edition of each event: some programs write earlier ones beside it. */
function newestOf(components: readonly ICAL.Component[]): ReadonlyMap<string, number> {
  const newest = new Map<string, number>()
  for (const component of components) {
    const uid = uidOf(component)
    if (uid === '' || component.hasProperty('recurrence-id')) continue
    newest.set(uid, Math.max(newest.get(uid) ?? 0, sequenceOf(component)))
  }
  return newest
}

const tooMany = () => new Error(`A file can have ${maxEvents} events at most.`)

const uidOf = (component: ICAL.Component) => String(component.getFirstPropertyValue('uid') ?? '')

/** Single dates of repeating events that the file describes again, by UID. */
function exceptions(components: readonly ICAL.Component[]): Map<string, ICAL.Component[]> {
  const repeating = new Set(
    components.filter((each) => each.hasProperty('rrule') || each.hasProperty('rdate')).map(uidOf),
  )
  const moved = new Map<string, ICAL.Component[]>()
  for (const each of components) {
    if (!each.hasProperty('recurrence-id') || !repeating.has(uidOf(each))) continue
    moved.set(uidOf(each), [...(moved.get(uidOf(each)) ?? []), each])
  }
  return moved
}

/** The rows of a component: one, or one for each of its dates. */
function rowsOf(
  component: ICAL.Component,
  at: number,
  {
    defaults,
    season,
    moved,
  }: { defaults: ImportOptions; season: Season; moved: ReadonlyMap<string, ICAL.Component[]> },
): ImportRow[] {
  const summary = component.getFirstPropertyValue('summary')
  const where = `Event ${at + 1}${typeof summary === 'string' && summary ? ` (“${summary}”)` : ''}`
  try {
    checkLength(component)
    // Said even where there are none: the library would take those of other events.
    const event = new ICAL.Event(component, { exceptions: moved.get(uidOf(component)) ?? [] })
    const found = event.isRecurring()
      ? datesOf(event, defaults, season)
      : [eventOf(event, { start: event.startDate, end: event.endDate }, defaults)]
    return found.map((each) => ({ where, event: each, problem: null }))
  } catch (error) {
    // The library reads properties when they are asked for, and a damaged one ends in its own words.
    const { message } = error as Error
    const isDamaged = error instanceof TypeError || error instanceof RangeError
    const problem = isDamaged ? `damaged: ${message}` : message
    const uid = uidOf(component)
    return [{ where, event: null, problem, ...(uid && { id: idOfUid(uid) }) }]
  }
}

/** @throws an Error for an event longer than a year, whose days the library would count one by one */
function checkLength(component: ICAL.Component): void {
  const duration = component.getFirstPropertyValue('duration')
  if (duration instanceof ICAL.Duration && Math.abs(duration.toSeconds()) > maxEventDays) {
    throw new Error(`lasts longer than a year: ${duration.toString()}`)
  }
}

/** Days of each month in a leap year: the library looks for ever for a day that never comes. */
const longestMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** @throws an Error for a rule that no race calendar has, and for one that names days that never come */
function checkRule(rule: unknown): void {
  if (!(rule instanceof ICAL.Recur)) return
  if (!['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'].includes(rule.freq)) {
    throw new Error(`repeats ${rule.freq.toLowerCase()}; write its dates as single events`)
  }
  const parts = rule.parts as Partial<Record<string, number[]>>
  const months = parts.BYMONTH ?? [1]
  const days = parts.BYMONTHDAY ?? [1]
  const comes = months.some((month) =>
    days.some((day) => Math.abs(day) <= (longestMonth[month - 1] ?? 0)),
  )
  if (!comes) throw new Error('repeats on a day that never comes')
}

/** An event for each date of a repeating one that lies in the season. */
function datesOf(event: ICAL.Event, defaults: ImportOptions, season: Season): StoredEvent[] {
  const { component } = event
  for (const rule of component.getAllProperties('rrule')) checkRule(rule.getFirstValue())
  // The start is the first of the dates (RFC 5545, 3.8.5.2); the library knows it by a rule alone.
  if (!component.hasProperty('rrule')) {
    component.addPropertyWithValue('rrule', new ICAL.Recur({ freq: 'DAILY', count: 1 }))
  }
  const found: StoredEvent[] = []
  const dates = event.iterator()
  for (let seen = 0; seen < maxDatesSeen && found.length < maxDates; seen += 1) {
    const next = dates.next() as ICAL.Time | undefined
    if (!next || next.toString().slice(0, 10) > season.last) break
    const { item, startDate: start, endDate: end } = event.getOccurrenceDetails(next)
    if (start.toString().slice(0, 10) < season.first) continue
    const single = eventOf(item, { start, end }, defaults)
    found.push({ ...single, id: `${idOf(event)}-${next.toString().slice(0, 10)}` })
  }
  if (found.length === 0) throw new Error('repeats, but on no date of this season')
  return found
}

function eventOf(
  event: ICAL.Event,
  { start, end }: { start: ICAL.Time | null; end: ICAL.Time | null },
  { zone, series }: ImportOptions,
): StoredEvent {
  const { component, summary, description, location } = event
  if (!summary || !start) throw new Error(summary ? 'no start' : 'no name')
  const place = placeOf(location ?? '')
  const status = String(component.getFirstPropertyValue('status') ?? '').toUpperCase()
  const url = String(component.getFirstPropertyValue('url') ?? '')
  const text = description ? plainTextOf(description) : ''
  const times = start.isDate
    ? { start: start.toString(), end: inclusive(start, end) }
    : timesOf(component, { start, end }, { zone, place })
  return {
    id: idOf(event),
    title: plainTextOf(summary).replaceAll(/\s+/g, ' '),
    ...times,
    ...place,
    ...(series && { series }),
    ...(text && { description: text }),
    ...(/^https?:\/\//i.test(url) && { url }),
    ...(status === 'CANCELLED' && { status: 'cancelled' }),
    ...(status === 'TENTATIVE' && { status: 'tbc' }),
    ...(status === 'CONFIRMED' && { status: 'scheduled' }),
  }
}

/** Our own feeds put a word before the id and the host behind it. */
function idOfUid(uid: string): string {
  const host = uid.lastIndexOf('@')
  const own = uid.slice(uid.startsWith('event-') ? 'event-'.length : 0, host < 0 ? undefined : host)
  return slugOf(own).slice(0, 80) || slugOf(uid)
}

/**
 * Some programs give out single dates of a repeating event without the event itself; each of those has
 * the UID of all of them.
 */
function idOf({ component, uid, summary, startDate }: ICAL.Event): string {
  if (!uid) return `${slugOf(summary)}-${startDate.year}`
  const date = component.getFirstPropertyValue('recurrence-id')
  return date === null ? idOfUid(uid) : `${idOfUid(uid)}-${String(date).slice(0, 10)}`
}

/** The last day itself, of an end that is the day after it; a time is on that day. */
function inclusive(start: ICAL.Time, end: ICAL.Time | null): string {
  if (!end || end.compare(start) <= 0) return start.toString()
  const last = end.toString().slice(0, 10)
  return end.isDate ? addDays(last, -1) : last
}

/**
 * Start and end by the clock at the venue: in the zone that they share, and for times in UTC or
 * without a zone in the one that was given, or the only one of the country. What begins and ends at
 * midnight is of whole days, as Outlook writes them.
 */
function timesOf(
  component: ICAL.Component,
  { start, end }: { start: ICAL.Time; end: ICAL.Time | null },
  { zone: given, place }: { zone: string | null; place: Place },
): { start: string; end: string | null; zone: string } {
  const country = place.country ?? null
  const begins = zoneOf(component, 'dtstart', start, country)
  const ends =
    component.hasProperty('dtend') && end ? zoneOf(component, 'dtend', end, country) : begins
  const named = [begins, ends].find(({ zone }) => zone !== null && zone !== 'UTC')?.zone
  const zone = named ?? given ?? zoneOfCountry(country) ?? begins.zone
  if (zone === null) {
    throw new Error(
      begins.unknown === null
        ? `the time ${start.toString()} has no time zone; set one with --zone`
        : `unknown time zone: ${begins.unknown}; set one with --zone`,
    )
  }
  if (
    [begins, ends].some((each) => each.zone !== null && each.zone !== 'UTC' && each.zone !== zone)
  ) {
    throw new Error('ends in a different time zone')
  }
  const local = (time: ICAL.Time, from: typeof begins) => {
    if (!from.isInstant || from.zone === zone) return time.toString().slice(0, 16)
    const at = time.toUnixTime() * 1000
    return `${dateAt(at, zone)}T${timeAt(at, zone)}`
  }
  // Without an end or a duration the library takes the start for the end.
  const hasEnd = component.hasProperty('dtend') || component.hasProperty('duration')
  const first = local(start, begins)
  const last = end && hasEnd ? local(end, ends) : null
  const midnight = 'T00:00'
  if (last !== null && last > first && first.endsWith(midnight) && last.endsWith(midnight)) {
    return { start: first.slice(0, 10), end: addDays(last.slice(0, 10), -1), zone }
  }
  return { start: first, end: last, zone }
}
