import type ICAL from 'ical.js'
import { Temporal } from 'temporal-polyfill'
import { timeAt } from '#shared/dates/civil-dates.ts'
import { oneLine } from '#shared/text/text.ts'
import { eachInTurns } from '../concurrency/in-turns.ts'
import { library } from '../library.ts'

/**
 * iCalendar documents (RFC 5545), for feeds and for invitations by email (RFC 5546, RFC 6047).
 */

const icalendar = library('ical.js')
const zoneTexts = library('timezones-ical-library')

function ical(): typeof ICAL {
  const loaded = icalendar()
  // It doesn't count the space that begins a continued line, so its 75 octets would be 76.
  loaded.foldLength = 74
  return loaded
}

/** A person of an invitation. */
type Person = { name: string; address: string }

/** One event of a calendar. */
export type CalendarEntry = {
  /** The same for as long as the event lives, in every document. */
  uid: string
  /** Grows with every change that subscribers should notice. */
  sequence: number
  /**
   * A civil date (YYYY-MM-DD), which belongs to no zone, or a local date and time
   * (YYYY-MM-DDTHH:MM) in {@link zone}.
   */
  start: string
  /** Of the same kind as `start`; a date is the last day itself. */
  end: string
  /** IANA name; null for civil dates. */
  zone: string | null
  /** On how many days in a row it takes place at these times; once where it is left out. */
  days?: number
  status: 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED'
  summary: string
  description?: string
  location?: string
  /** Absolute. */
  url?: string
  categories?: readonly string[]
  /** Milliseconds of the epoch of the last change. */
  modifiedAt: number
  /** Whether the day stays free in who subscribes to it; events of a season do not block a day. */
  transparent?: boolean
  organizer?: Person
  attendee?: Person
}

/** A calendar. */
export type CalendarDocument = {
  /** Shown by calendar programs; left out in invitations. */
  name?: string
  /** Of the company and product that wrote it, for PRODID. */
  producer: string
  /** Left out in feeds that are subscribed to. */
  method?: 'PUBLISH' | 'REQUEST' | 'CANCEL'
  /** How often a subscriber may ask again, as a duration of ISO 8601, such as PT6H (RFC 7986). */
  refresh?: string
  entries: readonly CalendarEntry[]
}

/**
 * Writes a calendar with the zones that its events use. The same input gives the same text.
 * @returns the document with CRLF line ends, lines folded at 75 bytes
 */
export function calendarText(document: CalendarDocument): string {
  const calendar = calendarComponent(document)
  for (const entry of document.entries) calendar.addSubcomponent(eventComponent(entry))
  return `${calendar.toString()}\r\n`
}

/** The same text for a feed, whose events may be thousands: others get their turn in between. */
export async function feedText(document: CalendarDocument): Promise<string> {
  const end = 'END:VCALENDAR'
  const pieces = [calendarComponent(document).toString().slice(0, -end.length)]
  await eachInTurns(document.entries, (entry) => {
    pieces.push(`${eventComponent(entry).toString()}\r\n`)
  })
  return `${pieces.join('')}${end}\r\n`
}

/** A calendar with the zones of its events, and without the events. */
function calendarComponent({ name, producer, method, refresh, entries }: CalendarDocument) {
  const { Component, Duration, Property } = ical()
  const calendar = new Component('vcalendar')
  calendar.addPropertyWithValue('version', '2.0')
  calendar.addPropertyWithValue('prodid', `-//${oneLine(producer)}//Pitlane//EN`)
  calendar.addPropertyWithValue('calscale', 'GREGORIAN')
  if (method) calendar.addPropertyWithValue('method', method)
  if (name !== undefined) {
    // Texts, too (RFC 7986, 5.1), though the library knows neither and writes them as they are.
    const escaped = oneLine(name).replaceAll(/[\\;,]/g, String.raw`\$&`)
    calendar.addPropertyWithValue('name', escaped)
    calendar.addPropertyWithValue('x-wr-calname', escaped)
  }
  if (refresh !== undefined) {
    const interval = new Property('refresh-interval')
    interval.resetType('duration')
    interval.setValue(Duration.fromString(refresh))
    calendar.addProperty(interval)
    calendar.addPropertyWithValue('x-published-ttl', refresh)
  }
  const zones = new Set(entries.flatMap(({ zone }) => zone ?? []))
  for (const zone of zones) calendar.addSubcomponent(zoneComponent(zone))
  return calendar
}

/** Whether a zone is one that a calendar can describe. */
export const isKnownZone = (zone: string): boolean => knownZones().has(zone)

let known: ReadonlySet<string> | null = null

function knownZones(): ReadonlySet<string> {
  if (!known) {
    const names = zoneTexts().tzlib_get_timezones()
    known = new Set(Array.isArray(names) ? names : [])
  }
  return known
}

/** The rules of a zone that {@link isKnownZone}, as the text of a VTIMEZONE. */
export const zoneRules = (zone: string): string => zoneTexts().tzlib_get_ical_block(zone)[0]!

/**
 * The rules of a zone under the name that its times carry (RFC 5545, 3.2.19): the library's are under
 * the name of a zone with the same clock, as Europe/Berlin for Stockholm.
 */
function zoneComponent(zone: string): ICAL.Component {
  if (!isKnownZone(zone)) throw new RangeError(`There is no time zone named ${zone}.`)
  const { Component, parse } = ical()
  const component = new Component(parse(zoneRules(zone)))
  for (const name of ['tzid', 'x-lic-location']) component.updatePropertyWithValue(name, zone)
  return component
}

function eventComponent(entry: CalendarEntry): ICAL.Component {
  const { uid, sequence, modifiedAt, status, summary, description, location, url } = entry
  const { Component, Property, Recur, Time } = ical()
  const event = new Component('vevent')
  event.addPropertyWithValue('uid', oneLine(uid))
  event.addPropertyWithValue('sequence', sequence)
  event.addPropertyWithValue('dtstamp', utc(modifiedAt))
  event.addPropertyWithValue('last-modified', utc(modifiedAt))
  if (entry.zone === null) {
    event.addPropertyWithValue('dtstart', Time.fromDateString(entry.start))
    const dayAfter = Temporal.PlainDate.from(entry.end).add({ days: 1 }).toString()
    event.addPropertyWithValue('dtend', Time.fromDateString(dayAfter))
  } else {
    const repeats = (entry.days ?? 1) > 1
    event.addProperty(localTime('dtstart', entry.start, entry.zone, repeats))
    // An end has to be later than the start (RFC 5545, 3.6.1); what has none ends as it begins.
    if (entry.end > entry.start)
      event.addProperty(localTime('dtend', entry.end, entry.zone, repeats))
    if (repeats) {
      event.addPropertyWithValue('rrule', new Recur({ freq: 'DAILY', count: entry.days }))
    }
  }
  event.addPropertyWithValue('summary', oneLine(summary))
  event.addPropertyWithValue('status', status)
  event.addPropertyWithValue('transp', entry.transparent ? 'TRANSPARENT' : 'OPAQUE')
  if (description) event.addPropertyWithValue('description', severalLines(description))
  if (location) event.addPropertyWithValue('location', oneLine(location))
  if (url) event.addPropertyWithValue('url', oneLine(url))
  if (entry.categories?.length) {
    const categories = new Property('categories')
    categories.setValues(entry.categories.map(oneLine))
    event.addProperty(categories)
  }
  if (entry.organizer) event.addProperty(person('organizer', entry.organizer))
  if (entry.attendee) {
    const attendee = person('attendee', entry.attendee)
    attendee.setParameter('role', 'REQ-PARTICIPANT')
    // No one has agreed to anything before it is confirmed.
    attendee.setParameter('partstat', status === 'CONFIRMED' ? 'ACCEPTED' : 'TENTATIVE')
    attendee.setParameter('rsvp', 'FALSE')
    event.addProperty(attendee)
  }
  return event
}

const utc = (at: number) => ical().Time.fromJSDate(new Date(Math.floor(at / 1000) * 1000), true)

/**
 * A local time with its TZID, as DATE-TIME form 3 (RFC 5545, 3.3.5). In an hour that there is twice
 * the first one is meant, but calendar programs read the second one there, so it is told in UTC.
 * What repeats follows the clock of its zone from day to day, so it keeps the zone.
 */
function localTime(name: string, local: string, zone: string, repeats: boolean): ICAL.Property {
  const { Property, Time } = ical()
  const property = new Property(name)
  const time = Temporal.PlainDateTime.from(local)
  const at = (disambiguation: 'earlier' | 'later') =>
    time.toZonedDateTime(zone, { disambiguation }).epochMilliseconds
  const first = at('earlier')
  const isTwice = first !== at('later') && timeAt(first, zone) === local.slice(11, 16)
  if (isTwice && !repeats) {
    property.setValue(utc(first))
  } else {
    property.setParameter('tzid', zone)
    property.setValue(Time.fromDateTimeString(local.length === 16 ? `${local}:00` : local))
  }
  return property
}

function person(role: string, { name, address }: Person): ICAL.Property {
  const { Property } = ical()
  const property = new Property(role)
  // Quotes have no escape in a parameter (RFC 5545, 3.2).
  if (name) property.setParameter('cn', oneLine(name).replaceAll('"', "'"))
  property.setValue(`mailto:${oneLine(address)}`)
  return property
}

/** A text whose lines end as ours do, without what a calendar can't hold (RFC 5545, 3.1). */
const severalLines = (text: string): string =>
  text
    .replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '')
