import type { Season, SeasonEvent } from '#shared/calendar.ts'
import { addDays, dateAt } from '#shared/civil-dates.ts'
import { failure } from '#shared/failures.ts'
import type { Platform } from '../feature.ts'
import { longestEvent } from './event-times.ts'
import { bookPathOf, type IndexedEvent, type SeasonIndex } from './season.ts'

/** Events that one answer holds, at most: a season of a busy agency. */
const mostEventsListed = 60
const monthMost = 200

/**
 * Makes the answer to {@link getSeason}: a month, or what comes and what is over, of all series or one.
 * @throws failure `missing` for what is no month, and for an unknown series
 */
export function createSeasonQuery(
  { content, clock }: Pick<Platform, 'content' | 'clock'>,
  season: () => Promise<SeasonIndex>,
) {
  const shown = async (indexed: IndexedEvent, today: string): Promise<SeasonEvent> => {
    const { image, editedAt: _editedAt, ...event } = indexed
    const bookPath = bookPathOf(indexed, today)
    return { ...event, picture: await content.picture(image), bookPath }
  }
  const all = (events: readonly IndexedEvent[], today: string) =>
    Promise.all(events.map((event) => shown(event, today)))

  return async ({ month, series: slug }: { month?: string; series?: string }): Promise<Season> => {
    const index = await season()
    const today = dateAt(clock())
    if (month !== undefined && !/^\d{4}-(?:0[1-9]|1[0-2])$/.test(month)) throw failure('missing')
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
        events: await all(events.slice(0, monthMost), today),
        past: [],
        more: Math.max(0, events.length - monthMost),
      }
    }
    const wanted = chosen ? index.all.filter(inSeries) : index.all
    // An event that runs now may have begun before others that are over.
    const running = placeOf(wanted, addDays(today, -longestEvent))
    const coming = wanted.slice(running).filter(({ to }) => to >= today)
    const begun = placeOf(wanted, today)
    const past = wanted
      .slice(Math.max(0, begun - 2 * mostEventsListed), begun)
      .filter(({ to }) => to < today)
      .slice(-mostEventsListed)
    return {
      ...facts,
      events: await all(coming.slice(0, mostEventsListed), today),
      past: await all(past.toReversed(), today),
      more: Math.max(0, coming.length - mostEventsListed),
    }
  }
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
