import { hash } from 'node:crypto'
import { Router } from 'express'
import { getSeason, type Season, type SeasonEvent } from '#shared/calendar.ts'
import { addDays, dateAt } from '#shared/civil-dates.ts'
import { failure } from '#shared/failures.ts'
import { paths } from '#shared/paths.ts'
import { longestEvent } from './event-times.ts'
import type { Feature, Platform } from '../feature.ts'
import type { FileSet } from '../http/cached-files.ts'
import { createCalendarFeeds } from './feed.ts'
import { bookPathOf, createSeasonIndex, type IndexedEvent } from './season.ts'

/** Events that one answer holds, at most: a season of a busy agency. */
const mostEventsListed = 60
const monthMost = 200

/** Most calendars of series that are kept as text. */
const seriesKept = 100

/** The season (docs/contract.md, Calendar), and the events that others ask for by id. */
export type CalendarFeature = Feature & {
  /** An event that can be booked; null for one that is over, cancelled or not there. */
  bookable(id: string): Promise<{
    id: string
    title: string
    place: string
    from: string
    to: string
  } | null>
}

/** Makes the feature over the collection `events`; a content service without it has no events. */
export function calendarFeature(platform: Platform): CalendarFeature {
  const { content, clock, siteVersion } = platform
  const season = createSeasonIndex(content)
  const feeds = createCalendarFeeds(platform, season)

  const shown = async (indexed: IndexedEvent, today: string): Promise<SeasonEvent> => {
    const { image, editedAt: _editedAt, ...event } = indexed
    const bookPath = bookPathOf(indexed, today)
    return { ...event, picture: await content.picture(image), bookPath }
  }
  const all = (events: readonly IndexedEvent[], today: string) =>
    Promise.all(events.map((event) => shown(event, today)))

  async function read({
    month,
    series: slug,
  }: {
    month?: string
    series?: string
  }): Promise<Season> {
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

  return {
    name: 'calendar',
    routes({ endpoints, mount }) {
      endpoints.serve(getSeason, { limit: 'read', access: 'public' }, read)
      mount(seriesFeeds(platform, feeds.ofSeries))
    },
    files: [seasonFile(siteVersion.version, feeds.whole)],
    pages: [paths.calendar()],
    search: [
      {
        kind: 'events',
        label: 'Events',
        read: async () =>
          (await season()).all.map((event) => ({
            id: event.id,
            title: event.title,
            tags: [event.series?.title, event.city, event.country, event.venue]
              .filter(Boolean)
              .join(' · '),
            intro: event.description ?? '',
            path: paths.calendarEvent(event.id, event.from),
            date: event.from,
          })),
      },
    ],
    reservedPaths: ['calendar'],
    async bookable(id) {
      const event = (await season()).byId.get(id)
      if (!event || bookPathOf(event, dateAt(clock())) === null) return null
      const place = [event.venue, event.city, event.country].filter(Boolean).join(', ')
      return { id, title: event.title, place, from: event.from, to: event.to }
    },
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

const calendarHeaders = 'public, max-age=0, s-maxage=300, stale-while-revalidate=3600'

/** `/calendar.ics`, kept as finished bytes until content changes. */
const seasonFile = (version: () => number, write: () => Promise<string>): FileSet => ({
  name: 'calendar',
  paths: [paths.calendarFeed()],
  version: () => String(version()),
  make: async () =>
    new Map([
      [
        paths.calendarFeed(),
        {
          type: 'text/calendar; charset=utf-8',
          body: await write(),
          cacheControl: calendarHeaders,
          shared: true,
        },
      ],
    ]),
  fallback: () => new Map(),
})

/** `/calendar/{series}.ics`, kept as text until content changes. */
function seriesFeeds(
  { siteVersion }: Pick<Platform, 'siteVersion'>,
  write: (slug: string) => Promise<string | null>,
): Router {
  const kept = new Map<string, { version: number; text: string; etag: string }>()
  const router = Router({ caseSensitive: true, strict: true })
  router.get(paths.calendarFeed(':series'), async (request, response) => {
    const slug = String(request.params.series)
    const version = siteVersion.version()
    let found = kept.get(slug)
    if (found?.version !== version) {
      const text = await write(slug)
      if (text === null) throw failure('missing')
      found = { version, text, etag: `"${hash('sha256', text, 'base64url').slice(0, 22)}"` }
      const [oldest] = kept.keys()
      if (kept.size >= seriesKept && oldest !== undefined) kept.delete(oldest)
      kept.set(slug, found)
    }
    response
      .setHeader('Content-Type', 'text/calendar; charset=utf-8')
      .setHeader('Cache-Control', calendarHeaders)
      .setHeader('ETag', found.etag)
      .setHeader('Cross-Origin-Resource-Policy', 'cross-origin')
    const isSame = request.get('if-none-match')?.includes(found.etag)
    if (isSame) response.status(304).end()
    else response.send(found.text)
  })
  return router
}
