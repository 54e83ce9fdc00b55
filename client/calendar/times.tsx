import type { SeasonEvent } from '#shared/calendar.ts'
import { useAlive } from '../ui/use-alive.ts'
import styles from './event.module.css'

const office = 'Europe/Helsinki'

/** The clock in a zone, as HH:MM, with its date where that is another one than asked for. */
function clock(iso: string, zone: string, date: string): string {
  const at = new Date(iso)
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' })
  const time = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(at)
  if (parts.format(at) === date) return time
  const day = new Intl.DateTimeFormat('en-GB', { timeZone: zone, day: 'numeric', month: 'short' })
  return `${day.format(at)}, ${time}`
}

const span = (start: string, end: string | null) => (end ? `${start}–${end}` : start)

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
    span(clock(startsAt, other, from), endsAt && clock(endsAt, other, to))
  const visitor = isAlive ? new Intl.DateTimeFormat().resolvedOptions().timeZone : null
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
