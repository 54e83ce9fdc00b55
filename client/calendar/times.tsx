import type { SeasonEvent } from '#shared/calendar.ts'
import { useAlive } from '../ui/use-alive.ts'
import styles from './event.module.css'

const office = 'Europe/Helsinki'

type Clock = Record<'date' | 'time' | 'day', Intl.DateTimeFormat>

const clocks = new Map<string, Clock>()

/** The formats of a zone, made once: a season has hundreds of times in a handful of zones. */
function clockOf(timeZone: string): Clock {
  const known = clocks.get(timeZone)
  if (known) return known
  const clock = {
    date: new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }),
    time: new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }),
    day: new Intl.DateTimeFormat('en-GB', { timeZone, day: 'numeric', month: 'short' }),
  }
  clocks.set(timeZone, clock)
  return clock
}

/** An instant in a zone, as HH:MM, with its date where that is another one than asked for. */
function timeIn(iso: string, zone: string, asked: string): string {
  const at = new Date(iso)
  const { date, time, day } = clockOf(zone)
  return date.format(at) === asked ? time.format(at) : `${day.format(at)}, ${time.format(at)}`
}

const span = (start: string, end: string | null) => (end ? `${start}–${end}` : start)

let ownZone: string | undefined

/** The zone of the visitor's device. */
const visitorZone = () => (ownZone ??= new Intl.DateTimeFormat().resolvedOptions().timeZone)

/** The last part of an IANA name, as people say it: New York. */
const cityOf = (zone: string) => zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ')

/**
 * The times of an event, each by whose clock it is: where the event is, in Helsinki, and where the
 * visitor is. The last is known in the browser alone, and left out where it is one of the others. An
 * event of whole days has none.
 */
export function Times({ event }: { event: SeasonEvent }) {
  const isAlive = useAlive()
  const { start, end, zone, startsAt, endsAt, from, to, city } = event
  if (!start || !zone || !startsAt) return null
  const inZone = (other: string) =>
    span(timeIn(startsAt, other, from), endsAt && timeIn(endsAt, other, to))
  const visitor = isAlive ? visitorZone() : null
  const rows: [string, string][] = [
    [`Local time, ${city ?? cityOf(zone)}`, span(start, end)],
    ['Helsinki time', inZone(office)],
    ...(visitor && visitor !== zone && visitor !== office
      ? [[`Your time, ${cityOf(visitor)}`, inZone(visitor)] as [string, string]]
      : []),
  ]
  return (
    <dl className={styles.times}>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
