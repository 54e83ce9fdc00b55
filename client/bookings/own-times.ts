import { longDate } from '#shared/dates/date-format.ts'
import { cityOf } from '#shared/dates/zones.ts'

const office = 'Europe/Helsinki'

/** The longest range that a booking has. */
const maxDays = 31

/** Hours of each day of a range, by the clock of a zone. */
type Hours = { from: string; to: string; start: string | null; end: string | null; zone: string }

/** The clock of a zone, which takes a phone long to make and is fast to read. */
const clockOf = (zone: string) =>
  new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'short',
    hourCycle: 'h23',
  })
type Clock = ReturnType<typeof clockOf>

/** What a calendar and clock show. @param at milliseconds of the epoch */
function shownBy(clock: Clock, at: number): { date: string; time: string } {
  const [date, time] = clock.format(at).split(', ') as [string, string]
  return { date, time }
}

/** The instant of a local time; of one that comes twice either may be meant. */
function instantOf(date: string, time: string, clock: Clock): number {
  const wanted = Date.parse(`${date}T${time}Z`)
  const offsetAt = (at: number) => {
    const shown = shownBy(clock, at)
    return Date.parse(`${shown.date}T${shown.time}Z`) - at
  }
  const near = wanted - offsetAt(wanted)
  return wanted - offsetAt(near)
}

const nextDay = (date: string): string =>
  new Date(Date.parse(`${date}T00:00Z`) + 86_400_000).toISOString().slice(0, 10)

/** A time of a day by another clock, with the day where it's another one. */
function timeOn(day: string, time: string, here: Clock, other: Clock): string {
  const shown = shownBy(other, instantOf(day, time, here))
  if (shown.date === day) return shown.time
  return `${shown.time} ${shown.date > day ? 'the next day' : 'the day before'}`
}

/** The hours of one day by another clock; the end of a night is on the day after, and says no day there either. */
function hoursOn(day: string, { start, end }: Hours, here: Clock, other: Clock): string {
  const first = timeOn(day, start!, here, other)
  if (!end) return first
  return `${first}–${
    end <= start!
      ? shownBy(other, instantOf(nextDay(day), end, here)).time
      : timeOn(day, end, here, other)
  }`
}

/**
 * The hours of a range by another clock: "12:00–18:00". Where the clocks change on other days there than
 * here, they don't stay the same: "13:00–19:00 (12:00–18:00 from 14 March 2027)".
 */
function hoursBy(other: Clock, hours: Hours, here: Clock): string {
  const { from, to, start, end } = hours
  // The last day of nights is that on which the last one ends.
  const isNight = Boolean(start && end && end <= start)
  const first = hoursOn(from, hours, here, other)
  const changes: string[] = []
  let last = first
  let day = nextDay(from)
  for (let n = 1; n < maxDays && (isNight ? day < to : day <= to); n += 1, day = nextDay(day)) {
    const now = hoursOn(day, hours, here, other)
    if (now !== last) changes.push(`${now} from ${longDate(day)}`)
    last = now
  }
  return changes.length > 0 ? `${first} (${changes.join(', ')})` : first
}

/** The zone of the visitor's device. */
export const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/**
 * What hours are elsewhere: "16:00–20:00 in Helsinki, 15:00–19:00 in Stockholm (your time)".
 * @param own the visitor's zone; null where it isn't known
 * @returns null where there's nothing to add
 */
export function timesElsewhere(hours: Hours, own: string | null): string | null {
  const { start, end, zone } = hours
  if (!start) return null
  const others = [office, ...(own ? [own] : [])].filter(
    (other, index, all) => other !== zone && all.indexOf(other) === index,
  )
  if (others.length === 0) return null
  const here = clockOf(zone)
  return others
    .map((other) => {
      const times = hoursBy(clockOf(other), hours, here)
      return `${end ? '' : 'from '}${times} in ${cityOf(other)}${other === own ? ' (your time)' : ''}`
    })
    .join(', ')
}

/** Writes what the hours of a booking form are elsewhere into its place for that. */
export function showTimesElsewhere(form: HTMLFormElement): void {
  const element = form.querySelector('[data-elsewhere]')
  if (!element) return
  const fields = new FormData(form)
  const value = (name: string) => {
    const given = fields.get(name)
    return typeof given === 'string' ? given : ''
  }
  const from = value('from') || new Date().toISOString().slice(0, 10)
  const to = value('to') || from
  const hours = {
    from,
    to,
    start: value('start'),
    end: value('end'),
    zone: value('zone') || office,
  }
  // To ask for the zone takes a phone a tenth of a second, so not before there is an hour.
  const text = (hours.start && timesElsewhere(hours, ownZone())) || ''
  if (element.textContent !== text) element.textContent = text
}
