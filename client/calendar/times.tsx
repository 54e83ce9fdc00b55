import { cityOf } from '#shared/zones.ts'
import { useHydrated } from '../ui/use-hydrated.ts'
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

/** A stretch of time at a place, by the clock there and as instants. */
export type Stretch = {
  /** Civil dates of its start and end where it is. */
  from: string
  to: string
  start: string | null
  end: string | null
  zone: string | null
  startsAt: string | null
  endsAt: string | null
}

/** A clock by whose time something is told. */
export type NamedClock = { name: string; read(stretch: Stretch): string }

/**
 * The clocks by which an event is told, each named: where the event is, in Helsinki, and where the
 * visitor is. The last is known in the browser alone, and none is there twice.
 * @param place the town of the event
 */
export function useClocks(zone: string | null, place: string | null): readonly NamedClock[] {
  const isHydrated = useHydrated()
  if (!zone) return []
  const inZone =
    (other: string) =>
    ({ startsAt, endsAt, from, to }: Stretch) => {
      if (startsAt === null) return ''
      // What is on one day where it is names another day once, with its start.
      const day = from === to ? clockOf(other).date.format(new Date(startsAt)) : to
      return span(timeIn(startsAt, other, from), endsAt && timeIn(endsAt, other, day))
    }
  const local = ({ start, end }: Stretch) => (start ? span(start, end) : '')
  const visitor = isHydrated ? visitorZone() : null
  return [
    zone === office
      ? { name: 'Helsinki time', read: local }
      : { name: `Local time, ${place ?? cityOf(zone)}`, read: local },
    ...(zone === office ? [] : [{ name: 'Helsinki time', read: inZone(office) }]),
    ...(visitor && visitor !== zone && visitor !== office
      ? [{ name: `Your time, ${cityOf(visitor)}`, read: inZone(visitor) }]
      : []),
  ]
}

/** The times of an event, each by whose clock it is. An event of whole days has none. */
export function Times({ event }: { event: Stretch & { city: string | null } }) {
  const shown = useClocks(event.zone, event.city)
  if (!event.start || !event.startsAt) return null
  return (
    <dl className={styles.times}>
      {shown.map(({ name, read }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{read(event)}</dd>
        </div>
      ))}
    </dl>
  )
}
