import type { EventCoverage } from '#shared/calendar.ts'
import { datesFrom, type CivilDate } from '#shared/dates/civil-dates.ts'
import { paths } from '#shared/paths.ts'
import { daysAt } from './event-times.ts'
import type { IndexedEvent } from './season.ts'

type Range = { from: CivilDate; to: CivilDate }

/** What the calendar asks of bookings to know which events can still be booked. */
export type Occupancy = {
  /** How free days are for a crew on site. */
  daysOnSite(
    range: Range,
  ): (date: CivilDate) => { state: 'free' | 'full' | 'closed'; reason: string | null }
  /** How many confirmed bookings name each event, by its id. */
  confirmedByEvent(): ReadonlyMap<string, number>
}

/** What bookings, rules and staff say of an event. */
export type EventState = {
  /** Whether its last day has passed where it is. */
  isOver: boolean
  coverage: EventCoverage
  /** Where it can be booked; null when it cannot. */
  bookPath: string | null
  /** Why it cannot be booked although it is still to come, for staff; null where it can. */
  reason: string | null
}

/** Max days that an event is looked at for; a longer one is a mistyped year. */
const maxDays = 100

/** An event that takes place: a postponed or cancelled one offers no booking. */
export const takesPlace = ({ status }: Pick<IndexedEvent, 'status'>): boolean =>
  status === 'scheduled' || status === 'tbc'

/**
 * Looks at some events at one moment. Coverage follows bookings and rules: `free` while one of the
 * days of an event can be booked, `full` when they are booked out, `covered` when it can no longer be
 * booked and a confirmed booking names it, else `none`. What staff have pinned takes precedence, as long
 * as it can be true: of an event that is off nothing is said, and `free` and `full` tell whether it can be
 * booked, so they end as it begins. It begins and is over by the calendar of its own zone. A pinned event is still not offered on days that are closed.
 */
export function eventStates(
  events: readonly IndexedEvent[],
  { now, occupancy }: { now: number; occupancy: Occupancy },
): (event: IndexedEvent) => EventState {
  const dayOf = daysAt(now)
  const coming = events.filter((event) => event.from > dayOf(event) && takesPlace(event))
  const first = coming.reduce((least, { from }) => (from < least ? from : least), '9999-12-31')
  const last = coming.reduce((max, { to }) => (to > max ? to : max), '')
  const dayOn = coming.length > 0 ? occupancy.daysOnSite({ from: first, to: last }) : null
  const confirmed = occupancy.confirmedByEvent()

  return (event) => {
    const { id, pinned, from, to } = event
    const today = dayOf(event)
    const isOver = to < today
    if (!takesPlace(event)) {
      return { isOver, coverage: 'none', bookPath: null, reason: `It is ${event.status}` }
    }
    const ours = confirmed.has(id) ? 'covered' : 'none'
    if (from <= today || !dayOn) {
      const coverage = pinned === 'covered' || pinned === 'none' ? pinned : ours
      return { isOver, coverage, bookPath: null, reason: 'It has started or is over' }
    }
    const days = datesFrom(from, to)
      .slice(0, maxDays)
      .map((date) => ({ date, ...dayOn(date) }))
    const states = new Set(days.map(({ state }) => state))
    const isClosed = !states.has('free') && !states.has('full')
    const bookPath = (range: Range) => paths.booking({ ...range, event: id })
    const reason = states.has('free')
      ? null
      : isClosed
        ? (days[0]?.reason ?? 'Closed')
        : 'All crews are booked'
    if (pinned !== null) {
      const isOffered = pinned !== 'full' && !isClosed
      const range = longestFree(days) ?? { from, to }
      return {
        isOver,
        coverage: pinned,
        bookPath: isOffered ? bookPath(range) : null,
        reason: pinned === 'full' ? 'Set to full by staff' : isClosed ? reason : null,
      }
    }
    const free = longestFree(days)
    if (free) return { isOver, coverage: 'free', bookPath: bookPath(free), reason: null }
    return { isOver, coverage: isClosed ? ours : 'full', bookPath: null, reason }
  }
}

/** The longest run of free days, the earliest of several; null where none is free. */
function longestFree(days: readonly { date: CivilDate; state: string }[]): Range | null {
  let best: CivilDate[] = []
  let run: CivilDate[] = []
  for (const { date, state } of days) {
    run = state === 'free' ? [...run, date] : []
    if (run.length > best.length) best = run
  }
  return best.length > 0 ? { from: best[0]!, to: best.at(-1)! } : null
}
