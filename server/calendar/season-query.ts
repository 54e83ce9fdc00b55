import type { EventDetails, Season, SeasonEvent } from '#shared/calendar.ts'
import { addDays, dateAt } from '#shared/dates/civil-dates.ts'
import { failure } from '#shared/failures.ts'
import { isMonth } from '#shared/dates/months.ts'
import type { Platform } from '../feature.ts'
import { daysAt, maxEventDays } from './event-times.ts'
import { eventStates, type EventState, type Occupancy } from './coverage.ts'
import type { IndexedEvent, SeasonIndex } from './season.ts'

/** Events that one answer holds, at most: a season of a busy agency. */
const maxEventsListed = 60
const maxInMonth = 200

/** Events that the page of another one leads on to. */
const maxNext = 3

/** Makes the answers to {@link getSeason} and {@link getEvent}. */
export function createSeasonQueries(
  platform: Pick<Platform, 'content' | 'clock'>,
  { season, occupancy }: { season: () => Promise<SeasonIndex>; occupancy: Occupancy },
) {
  const { content, clock } = platform

  const shown = async (
    indexed: IndexedEvent,
    { isOver, coverage, bookPath }: EventState,
  ): Promise<SeasonEvent> => {
    const { image, editedAt: _editedAt, pinned: _pinned, sessions: _sessions, ...event } = indexed
    return { ...event, isOver, coverage, bookPath, picture: await content.picture(image) }
  }

  /** Events as pages show them, all of them seen at one moment. */
  const all = (events: readonly IndexedEvent[]) => {
    const stateOf = eventStates(events, { now: clock(), occupancy })
    return Promise.all(events.map((event) => shown(event, stateOf(event))))
  }

  /**
   * A month, or what comes and what is over, of all series or one.
   * @throws failure `missing` for what isn't a month, and for an unknown series
   */
  const ofSeason = async ({
    month,
    series: slug,
  }: {
    month?: string
    series?: string
  }): Promise<Season> => {
    const index = await season()
    const now = clock()
    const today = dateAt(now)
    const dayOf = daysAt(now)
    if (month !== undefined && !isMonth(month)) throw failure('missing')
    const chosen = slug === undefined ? null : index.series.find((each) => each.slug === slug)
    if (chosen === undefined) throw failure('missing')
    const inSeries = (event: IndexedEvent) => !chosen || event.series?.slug === chosen.slug
    const facts = {
      today,
      series: [...index.series],
      chosen: chosen && { slug: chosen.slug, title: chosen.title },
      month: month ?? today.slice(0, 7),
      months: [...index.byMonth.keys()].toSorted(),
    }
    if (month !== undefined) {
      const events = (index.byMonth.get(month) ?? []).filter(inSeries)
      return {
        ...facts,
        events: await all(events.slice(0, maxInMonth)),
        past: [],
        more: Math.max(0, events.length - maxInMonth),
      }
    }
    const wanted = chosen ? index.all.filter(inSeries) : index.all
    // An event that runs now may have begun before others that are over.
    const running = placeOf(wanted, addDays(today, -maxEventDays))
    const coming = wanted.slice(running).filter((event) => event.to >= dayOf(event))
    // One that begins today can be over where it is tomorrow already.
    const begun = placeOf(wanted, addDays(today, 1))
    const past = wanted
      .slice(Math.max(0, begun - 2 * maxEventsListed), begun)
      .filter((event) => event.to < dayOf(event))
      .slice(-maxEventsListed)
    return {
      ...facts,
      events: await all(coming.slice(0, maxEventsListed)),
      past: await all(past.toReversed()),
      more: Math.max(0, coming.length - maxEventsListed),
    }
  }
  /** @throws failure `missing` for an event that is not there */
  const ofEvent = async ({ id }: { id: string }): Promise<EventDetails> => {
    const index = await season()
    const found = index.byId.get(id)
    if (!found) throw failure('missing')
    const now = clock()
    const today = dateAt(now)
    const dayOf = daysAt(now)
    const since = found.from > today ? found.from : today
    const later = index.all
      .slice(placeOf(index.all, since))
      .filter((each) => each !== found && each.to >= dayOf(each))
    const inSeries = later.filter(({ series }) => series && series.slug === found.series?.slug)
    const next = (inSeries.length > 0 ? inSeries : later).slice(0, maxNext)
    const [event, ...others] = await all([found, ...next])
    return { today, event: event!, sessions: [...found.sessions], next: others }
  }

  return { ofSeason, ofEvent }
}

/** The place of the first event that begins on a date or after it. */
function placeOf(events: readonly IndexedEvent[], date: string): number {
  let low = 0
  let high = events.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (events[middle]!.from < date) low = middle + 1
    else high = middle
  }
  return low
}
