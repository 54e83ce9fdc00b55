import { cityOf } from '#shared/dates/zones.ts'

const office = 'Europe/Helsinki'

/** Hours of a day, by the clock of a zone. */
type Hours = { from: string; start: string | null; end: string | null; zone: string }

/** What a zone's calendar and clock show. @param at milliseconds of the epoch */
function shownIn(zone: string, at: number): { date: string; time: string } {
  const text = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'short',
    hourCycle: 'h23',
  }).format(at)
  const [date, time] = text.split(', ') as [string, string]
  return { date, time }
}

/** The instant of a local time; of one that comes twice either may be meant. */
function instantOf(date: string, time: string, zone: string): number {
  const wanted = Date.parse(`${date}T${time}Z`)
  const offsetAt = (at: number) => {
    const shown = shownIn(zone, at)
    return Date.parse(`${shown.date}T${shown.time}Z`) - at
  }
  const near = wanted - offsetAt(wanted)
  return wanted - offsetAt(near)
}

const nextDay = (date: string): string =>
  new Date(Date.parse(`${date}T00:00Z`) + 86_400_000).toISOString().slice(0, 10)

/** A time of a day in another zone, with the day where it's another one. */
function timeIn(other: string, { from, zone }: Hours, time: string): string {
  const shown = shownIn(other, instantOf(from, time, zone))
  if (shown.date === from) return shown.time
  return `${shown.time} ${shown.date > from ? 'the next day' : 'the day before'}`
}

/** When hours end in another zone; the end of a night is on the day after, and says no day there either. */
function endIn(other: string, hours: Hours, end: string): string {
  const { from, start, zone } = hours
  return end <= start!
    ? shownIn(other, instantOf(nextDay(from), end, zone)).time
    : timeIn(other, hours, end)
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
  const text = others.map((other) => {
    const last = end ? `–${endIn(other, hours, end)}` : ''
    const first = `${end ? '' : 'from '}${timeIn(other, hours, start)}`
    return `${first}${last} in ${cityOf(other)}${other === own ? ' (your time)' : ''}`
  })
  return text.length > 0 ? text.join(', ') : null
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
  const hours = { from, start: value('start'), end: value('end'), zone: value('zone') || office }
  // To ask for the zone takes a phone a tenth of a second, so not before there is an hour.
  const text = (hours.start && timesElsewhere(hours, ownZone())) || ''
  if (element.textContent !== text) element.textContent = text
}
