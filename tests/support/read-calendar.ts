import ICAL from 'ical.js'
import ical from 'node-ical'

/** An event as one parser reads it: instants for times, civil dates for whole days, the end exclusive. */
export type ReadEvent = {
  uid: string
  sequence: number
  status: string
  start: string
  end: string
}

/**
 * Reads a calendar with two parsers that know nothing of ours, nor of each other.
 * @returns what each of them found, by UID in front of its @; times are ISO 8601 in UTC, whole days
 *   civil dates
 */
export function readByTwo(text: string): [Map<string, ReadEvent>, Map<string, ReadEvent>] {
  return [readByFirst(text), readBySecond(text)]
}

function readByFirst(text: string): Map<string, ReadEvent> {
  const calendar = new ICAL.Component(ICAL.parse(text))
  for (const zone of calendar.getAllSubcomponents('vtimezone')) {
    ICAL.TimezoneService.register(new ICAL.Timezone(zone))
  }
  const written = (time: ICAL.Time) =>
    time.isDate ? time.toString() : time.toJSDate().toISOString()
  return new Map(
    calendar.getAllSubcomponents('vevent').map((component) => {
      const event = new ICAL.Event(component)
      return [
        event.uid.split('@')[0]!,
        {
          uid: event.uid,
          sequence: event.sequence,
          status: String(component.getFirstPropertyValue('status')),
          start: written(event.startDate),
          end: written(event.endDate),
        },
      ]
    }),
  )
}

function readBySecond(text: string): Map<string, ReadEvent> {
  const found = new Map<string, ReadEvent>()
  for (const each of Object.values(ical.sync.parseICS(text))) {
    if (each?.type !== 'VEVENT') continue
    // Whole days are midnights of the process's own zone.
    const written = (at: Date) =>
      each.datetype === 'date'
        ? `${at.getFullYear()}-${String(at.getMonth() + 1).padStart(2, '0')}-${String(at.getDate()).padStart(2, '0')}`
        : new Date(at).toISOString()
    found.set(each.uid.split('@')[0]!, {
      uid: each.uid,
      sequence: Number(each.sequence),
      status: String(each.status),
      start: written(each.start),
      end: written(each.end!),
    })
  }
  return found
}

/**
 * When each day of a repeated event begins and ends, as the same two parsers read it.
 * @param id its UID in front of its @
 * @returns ISO 8601 in UTC, `start/end`
 */
export function daysByTwo(text: string, id: string): [string[], string[]] {
  readByFirst(text)
  const component = new ICAL.Component(ICAL.parse(text))
    .getAllSubcomponents('vevent')
    .find((each) => String(each.getFirstPropertyValue('uid')).startsWith(`${id}@`))!
  const event = new ICAL.Event(component)
  const steps = event.iterator()
  const first: string[] = []
  for (let at = steps.next(); at; at = steps.next()) {
    const { startDate, endDate } = event.getOccurrenceDetails(at)
    first.push(`${startDate.toJSDate().toISOString()}/${endDate.toJSDate().toISOString()}`)
  }
  const other = Object.values(ical.sync.parseICS(text)).find(
    (each) => each?.type === 'VEVENT' && each.uid.startsWith(`${id}@`),
  )
  if (other?.type !== 'VEVENT') throw new Error(`There is no event ${id}.`)
  const from = new Date(other.start.getTime() - 86_400_000)
  const to = new Date(other.start.getTime() + 40 * 86_400_000)
  const second = ical
    .expandRecurringEvent(other, { from, to })
    .map(({ start, end }) => `${start.toISOString()}/${end.toISOString()}`)
  return [first, second]
}
