import { getSeason } from '#shared/calendar.ts'
import { dateAt } from '#shared/civil-dates.ts'
import { paths } from '#shared/paths.ts'
import type { Feature, Platform } from '../feature.ts'
import { createCalendarFeeds } from './feed.ts'
import { seasonFile, seriesFeeds } from './feed-routes.ts'
import { createSeasonQuery } from './season-query.ts'
import { bookPathOf, createSeasonIndex } from './season.ts'

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

  return {
    name: 'calendar',
    routes({ endpoints, mount }) {
      endpoints.serve(
        getSeason,
        { limit: 'read', access: 'public' },
        createSeasonQuery(platform, season),
      )
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
