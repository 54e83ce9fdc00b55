import ICAL from 'ical.js'
import { isKnownZone, zoneRules } from '../../icalendar/document.ts'
import { zoneNamed } from './zones.ts'

/**
 * Describes the zones that the times of a calendar name and that it doesn't describe itself: the library
 * takes such times for those of no zone, and the dates of a rule are compared with times in UTC, such
 * as the last one and those that are left out.
 */
export function describeZones(
  calendar: ICAL.Component,
  components: readonly ICAL.Component[],
): void {
  const described = new Set(
    calendar.getAllSubcomponents('vtimezone').map((each) => each.getFirstPropertyValue('tzid')),
  )
  for (const component of components) {
    const name = component.getFirstProperty('dtstart')?.getFirstParameter('tzid')
    if (!name || described.has(name)) continue
    described.add(name)
    const zone = zoneNamed(name)
    if (zone === null || !isKnownZone(zone)) continue
    const rules = new ICAL.Component(
      ICAL.parse(zoneRules(zone)) as ConstructorParameters<typeof ICAL.Component>[0],
    )
    rules.updatePropertyWithValue('tzid', name)
    calendar.addSubcomponent(rules)
  }
}

/** By which clock a time of a file is. */
export type FileZone = {
  /** IANA name; null for a time of no zone, and of one that has no such name. */
  zone: string | null
  /** Whether the time stands for one moment, so any clock can tell it. */
  isInstant: boolean
  /** What the file calls a zone that it describes and that has no IANA name. */
  unknown: string | null
}

/**
 * The zone that a time names, whether or not the file describes it. UTC has its own mark. A name of the
 * file's own is known by the rules below it.
 * @throws an Error for a name that isn't a zone, and that the file doesn't describe
 */
export function zoneOf(
  component: ICAL.Component,
  name: 'dtstart' | 'dtend',
  time: ICAL.Time,
  country: string | null,
): FileZone {
  if (time.zone.tzid === 'UTC') return { zone: 'UTC', isInstant: true, unknown: null }
  const tzid = component.getFirstProperty(name)?.getFirstParameter('tzid')
  if (!tzid) return { zone: null, isInstant: false, unknown: null }
  const rules = time.zone.component as ICAL.Component | null | undefined
  const located = rules?.getFirstPropertyValue('x-lic-location')
  const zone =
    zoneNamed(tzid, country) ?? (typeof located === 'string' ? zoneNamed(located, country) : null)
  if (zone !== null) return { zone, isInstant: false, unknown: null }
  if (!rules) throw new Error(`unknown time zone: ${tzid}`)
  return { zone: null, isInstant: true, unknown: tzid }
}
