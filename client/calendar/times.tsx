import type { Stretch } from '#shared/calendar.ts'
import { hoursBy } from '#shared/hours-elsewhere.ts'
import { cityOf } from '#shared/zones.ts'
import { useHydrated } from '../ui/use-hydrated.ts'
import styles from './event.module.css'

const office = 'Europe/Helsinki'

/** The difference from UTC on a day, as the device has it; in minutes, to the west. */
const offsetOn = (day: string) => new Date(day).getTimezoneOffset()

let ownZone: string | undefined

/**
 * The zone of the visitor's device. To ask for its name takes a phone a tenth of a second, so not of
 * devices whose clock is that of Helsinki all year.
 */
const visitorZone = () =>
  (ownZone ??=
    offsetOn('2026-01-15') === -120 && offsetOn('2026-07-15') === -180
      ? office
      : new Intl.DateTimeFormat().resolvedOptions().timeZone)

const twoDigits = (value: number) => String(value).padStart(2, '0')

/** What the visitor's own clock shows. */
function readOwn(milliseconds: number) {
  const at = new Date(milliseconds)
  const date = [at.getFullYear(), at.getMonth() + 1, at.getDate()].map(twoDigits).join('-')
  return { date, time: `${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}` }
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
  const local = ({ start, end }: Stretch) => [start, end].filter(Boolean).join('–')
  const visitor = isHydrated ? visitorZone() : null
  return [
    zone === office
      ? { name: 'Helsinki time', read: local }
      : { name: `Local time, ${place ?? cityOf(zone)}`, read: local },
    ...(zone === office
      ? []
      : [{ name: 'Helsinki time', read: ({ inHelsinki }: Stretch) => inHelsinki ?? '' }]),
    ...(visitor && visitor !== zone && visitor !== office
      ? [
          {
            name: `Your time, ${cityOf(visitor)}`,
            read: (stretch: Stretch) => hoursBy(readOwn, stretch),
          },
        ]
      : []),
  ]
}

/** The times of an event, each by whose clock it is. An event of whole days has none. */
export function Times({
  event,
}: {
  event: Stretch & { zone: string | null; city: string | null }
}) {
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
