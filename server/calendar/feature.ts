import { createHash } from 'node:crypto'
import { getEvent, getSeason } from '#shared/calendar.ts'
import { dateAt, dayEnd } from '#shared/dates/civil-dates.ts'
import { calendarTexts } from '#shared/calendar-texts.ts'
import { monthName } from '#shared/dates/date-format.ts'
import { paths } from '#shared/paths.ts'
import type { DigestLine, Feature, Finding, Platform } from '../feature.ts'
import { eachInTurns } from '../concurrency/in-turns.ts'
import type { JobDefinition } from '../jobs/job.ts'
import { searchPage, searchText, type SearchDocument } from '../contributions/search-source.ts'
import { mainPages } from '../contributions/overview.ts'
import { sitemapEntry } from '../contributions/sitemap-entry.ts'
import { createEventActs, type EventActs } from './acts/acts.ts'
import { eventChanged, noticeTemplate } from './acts/notice-mail.ts'
import { createNoticeStore } from './acts/notice-store.ts'
import type { CalendarBookings } from './calendar-bookings.ts'
import { eventStates, takesPlace } from './coverage.ts'
import { daysAt } from './event-times.ts'
import { isKnownZone } from '../icalendar/document.ts'
import { eventDesk } from './desk.ts'
import { createCalendarFeeds, seasonFile, statusLabels } from './feed.ts'
import { createSeasonQueries } from './season-query.ts'
import { createSeasonIndex, type IndexedEvent, type SeasonIndex } from './season.ts'
import { createIcsReader } from './import/read-icalendar.ts'
import { createFeedStore } from './subscriptions/feed-store.ts'
import { createSubscriptions, type Subscriptions } from './subscriptions/subscriptions.ts'

/** The season (docs/contract.md, Calendar), and the events that others ask for by id. */
export type CalendarFeature = Feature & {
  /** What staff do with events. */
  readonly acts: EventActs
  /** Calendars of organisers, and what they say otherwise than ours. */
  readonly subscriptions: Subscriptions
  /** An event that can be booked; null for one that has begun, is off or isn't there. */
  bookable(id: string): Promise<{
    id: string
    title: string
    place: string
    from: string
    to: string
    start: string | null
    end: string | null
    zone: string | null
  } | null>
  /**
   * The title of an event that staff may book work for, also one that has begun, is postponed or full;
   * null for one that is cancelled or not there.
   */
  titleOf(id: string): Promise<string | null>
  /** Whether its organiser has cancelled an event. */
  isOff(id: string): Promise<boolean>
  /** What bookings, rules and staff say of an event now; null for one that is not shown. */
  stateOf(id: string): Promise<{
    coverage: string
    /** Whether staff have set this coverage, and it counts. */
    isPinned: boolean
    /** Why it cannot be booked; null where it can. */
    reason: string | null
  } | null>
}

/**
 * Makes the feature over the collection `events`; a content service without it has no events.
 * @param needs `bookings` is asked once there are requests or jobs: bookings are made after the calendar
 */
export function calendarFeature(
  platform: Platform,
  { bookings }: { bookings: () => CalendarBookings },
): CalendarFeature {
  const { clock, config, content, db, siteVersion } = platform
  const season = createSeasonIndex(content)
  const asked: CalendarBookings = {
    daysOnSite: (range) => bookings().daysOnSite(range),
    confirmedByEvent: () => bookings().confirmedByEvent(),
    inRange: (range) => bookings().inRange(range),
    ofEvent: (id) => bookings().ofEvent(id),
    describe: (reference) => bookings().describe(reference),
  }
  const feeds = createCalendarFeeds(platform, { season, occupancy: asked })
  const queries = createSeasonQueries(platform, { season, occupancy: asked })
  const ics = createIcsReader(platform.createThread)
  const notices = createNoticeStore(db, { clock })
  const acts = createEventActs(platform, { notices, bookings: asked, ics })
  const subscriptions = createSubscriptions(platform, {
    feeds: createFeedStore(db, { clock }),
    acts,
  })

  return {
    name: 'calendar',
    acts,
    subscriptions,
    async routes({ endpoints, mount }) {
      const { calendarFiles } = await import('./feed-routes.ts')
      endpoints.serve(getSeason, { limit: 'read', access: 'public' }, queries.ofSeason)
      endpoints.serve(getEvent, { limit: 'read', access: 'public' }, queries.ofEvent)
      mount(calendarFiles(platform, feeds))
    },
    files: [seasonFile(siteVersion.version, feeds.whole)],
    pages: [paths.calendar()],
    overview: [
      {
        heading: mainPages,
        read: () => [
          {
            text: 'Calendar',
            path: paths.calendar(),
            about: 'the season, where our crews will be, and which weekends are still open',
          },
        ],
      },
    ],
    sitemap: async () =>
      (await season()).all.map(({ id, editedAt, image }) =>
        sitemapEntry(paths.calendarEvent(id), { modifiedAt: editedAt, picture: image }),
      ),
    search: [
      {
        kind: 'events',
        label: 'Events',
        read: async () => {
          const documents: SearchDocument[] = []
          await eachInTurns((await season()).all, (event) => {
            documents.push(searchDocument(event))
          })
          return documents
        },
      },
    ],
    searchPages: () => [
      searchPage(paths.calendar(), calendarTexts, {
        names: ['calendar', 'racing', 'races', 'race calendar', 'season', 'events', 'schedule'],
      }),
    ],
    desk: eventDesk(platform, season),
    mailTemplates: {
      [eventChanged]: noticeTemplate({
        notices,
        bookings: asked,
        staff: config.mail.staff,
        siteUrl: () => config.siteUrl,
      }),
    },
    jobs: [...subscriptions.jobs, coverageJob(platform, { season, bookings: asked })],
    digest: () =>
      waitingLines({ notices: acts.waiting().length, changes: subscriptions.waiting() }),
    doctor: [{ check: 'event feeds', look: () => feedsFinding(subscriptions) }],
    reservedPaths: ['calendar'],
    close: () => ics.close(),
    async bookable(id) {
      const event = (await season()).byId.get(id)
      if (!event || event.from <= daysAt(clock())(event)) return null
      if (!takesPlace(event) || event.pinned === 'full') return null
      const { title, from, to, start, end } = event
      // Only hours whose zone a calendar can describe.
      const zone = event.zone && isKnownZone(event.zone) ? event.zone : null
      const hours = { start: zone && start, end: zone && end, zone }
      return { id, title, place: placeOf(event), from, to, ...hours }
    },
    async titleOf(id) {
      const event = (await season()).byId.get(id)
      return event && event.status !== 'cancelled' ? event.title : null
    },
    isOff: async (id) => (await season()).byId.get(id)?.status === 'cancelled',
    async stateOf(id) {
      const event = (await season()).byId.get(id)
      if (!event) return null
      const { coverage, reason } = eventStates([event], { now: clock(), occupancy: asked })(event)
      return { coverage, isPinned: event.pinned === coverage, reason }
    },
  }
}

const placeOf = ({ venue, city, country }: IndexedEvent) =>
  [venue, city, country].filter(Boolean).join(', ')

const searchDocument = (event: IndexedEvent) => ({
  id: event.id,
  // A date beside a title says that it's on; by its title alone it's found all the same.
  title: takesPlace(event) ? event.title : statusLabels[event.status] + event.title,
  names: [event.title],
  // "Rovaniemi 2027" and "rally February" are what people look for; no title says its year.
  tags: searchText(event.series?.title, event.city, event.country, event.venue, event.organizer, [
    ...new Set([event.from, event.to].map((date) => monthName(date))),
  ]),
  intro: searchText(event.description, ...event.sessions.map(({ title }) => title)),
  path: paths.calendarEvent(event.id),
  date: event.from,
  // Searches go by the day in Helsinki, where it may still be on when that day is over.
  until: dateAt(dayEnd(event.to, event.zone ?? undefined) - 1),
})

/**
 * Looks every minute whether bookings, rules or the passing of time have changed what the calendar says
 * of its events; pages and feeds are made again only then.
 */
function coverageJob(
  { clock, commit, siteVersion }: Pick<Platform, 'clock' | 'commit' | 'siteVersion'>,
  { season, bookings }: { season: () => Promise<SeasonIndex>; bookings: CalendarBookings },
): JobDefinition {
  let known: string | null = null
  return {
    kind: 'calendar.coverage',
    about: 'updates the calendar from bookings and booking rules',
    recurs: { everyMinutes: 1 },
    waitsForTrustedClock: false,
    async run() {
      const { all } = await season()
      const stateOf = eventStates(all, { now: clock(), occupancy: bookings })
      const states = createHash('sha256')
      await eachInTurns(all, (event) => {
        const { isOver, coverage, bookPath } = stateOf(event)
        states.update(JSON.stringify([event.id, isOver, coverage, bookPath]))
      })
      const digest = states.digest('base64url')
      if (known !== null && known !== digest) await commit((tx) => siteVersion.changed(tx))
      known = digest
    },
  }
}

/** What staff's digest says of events. */
const waitingLines = ({ notices, changes }: { notices: number; changes: number }): DigestLine[] => [
  {
    count: notices,
    what: 'events changed, their clients not told',
    one: 'event changed, its clients not told',
    command: 'pitlane events notices',
  },
  {
    count: changes,
    what: 'changes in organisers’ calendars',
    one: 'change in organisers’ calendars',
    command: 'pitlane events changes',
  },
]

function feedsFinding({ failing, list }: Subscriptions): Finding {
  const feeds = failing()
  if (feeds.length > 0) {
    const named = feeds.map(({ url, problem }) => `${url}: ${problem ?? 'unknown'}`)
    return { state: 'warn', text: `can’t be read: ${named.join('; ')}` }
  }
  const { length } = list()
  return { state: 'ok', text: length === 1 ? '1 subscribed' : `${length} subscribed` }
}
