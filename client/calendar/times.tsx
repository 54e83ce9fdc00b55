import type { Stretch } from '#shared/calendar.ts'
import { hoursBy } from '#shared/dates/hours-elsewhere.ts'
import { cityOf } from '#shared/dates/zones.ts'
import { useHydrated } from '../ui/use-hydrated.ts'
import styles from './event.module.css'

const office = 'Europe/Helsinki'

const twoDigits = (value: number) => String(value).padStart(2, '0')

/**
 * What the visitor's own clock shows. Date knows it at once; the first format of Intl, and already the
 * name of the zone, takes a phone a tenth of a second.
 */
function readOwn(milliseconds: number) {
  const at = new Date(milliseconds)
  const date = [at.getFullYear(), at.getMonth() + 1, at.getDate()].map(twoDigits).join('-')
  return { date, time: `${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}` }
}

const atPlace = ({ start, end }: Stretch) => [start, end].filter(Boolean).join('–')
const inHelsinki = (stretch: Stretch) => stretch.inHelsinki ?? ''
const own = (stretch: Stretch) => hoursBy(readOwn, stretch)

/** A clock by whose time something is told. */
export type NamedClock = { name: string; read(stretch: Stretch): string }

/**
 * The clocks by which an event is told, each named: where the event is, in Helsinki, and where the
 * visitor is. The last is known in the browser alone, and is there only where it shows something else,
 * be it for one session alone: clocks that change between two days part company there.
 * @param zone null where the zone of the event is not known
 * @param place the town of the event
 * @param told the event itself, or its sessions
 */
export function useClocks(
  zone: string | null,
  place: string | null,
  told: readonly Stretch[],
): readonly NamedClock[] {
  const isHydrated = useHydrated()
  if (!zone || told.length === 0) return []
  const known = knownClocks(zone, place ?? cityOf(zone), told)
  const isElsewhere =
    isHydrated && known.every(({ read }) => told.some((each) => read(each) !== own(each)))
  return isElsewhere ? [...known, { name: 'Your time', read: own }] : known
}

/** The clocks that say the same to everyone; one where both do, as in the Baltics. */
function knownClocks(zone: string, place: string, told: readonly Stretch[]): NamedClock[] {
  if (zone === office) return [{ name: 'Helsinki time', read: atPlace }]
  return told.every((each) => inHelsinki(each) === atPlace(each))
    ? [{ name: `${place} and Helsinki time`, read: atPlace }]
    : [
        { name: `Local time, ${place}`, read: atPlace },
        { name: 'Helsinki time', read: inHelsinki },
      ]
}

/** The times of an event, each by whose clock it is. An event of whole days has none. */
export function Times({
  event,
}: {
  event: Stretch & { zone: string | null; city: string | null }
}) {
  const shown = useClocks(event.zone, event.city, [event])
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
