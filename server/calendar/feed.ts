import { hash } from 'node:crypto'
import type { EventCoverage, EventStatus } from '#shared/calendar.ts'
import { addDays } from '#shared/dates/civil-dates.ts'
import { paths } from '#shared/paths.ts'
import { slugOf } from '#shared/text/slug.ts'
import { eachInTurns } from '../concurrency/in-turns.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Platform } from '../feature.ts'
import type { Brand } from '../mail/message.ts'
import type { FileSet } from '../http/replies/cached-files.ts'
import { feedText, isKnownZone, type CalendarEntry } from '../icalendar/document.ts'
import { eventStates, type Occupancy } from './coverage.ts'
import type { IndexedEvent, SeasonIndex } from './season.ts'

/** How long shared caches may keep a calendar file. */
export const feedCacheControl = 'public, max-age=0, s-maxage=300, stale-while-revalidate=3600'

/** `/calendar.ics`, kept as finished bytes until content changes. */
export const seasonFile = (version: () => number, write: () => Promise<string>): FileSet => ({
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
          cacheControl: feedCacheControl,
          shared: true,
        },
      ],
    ]),
  fallback: () => new Map(),
})

/** Editions that are written in one transaction. */
const maxTogether = 500

/** How often a subscriber may ask again (RFC 7986, 5.7). */
const refresh = 'PT6H'

/** The events as calendars that people subscribe to (docs/contract.md, Calendar). */
export type CalendarFeeds = {
  /** All events. */
  whole(): Promise<string>
  /** Those of one series; null when there is no such series. */
  ofSeries(slug: string): Promise<string | null>
  /** One event with its sessions; null when there is no such event. */
  ofEvent(id: string): Promise<string | null>
}

/** An event with the coverage of the moment. */
type FeedEvent = IndexedEvent & { coverage: EventCoverage }

/** An edition of an event: SEQUENCE and LAST-MODIFIED follow from it. */
type Edition = { digest: string; sequence: number; modifiedAt: number }

/**
 * Makes the feeds. Content has no numbers for its editions, so the first feed that is made after a
 * change of an event counts it, and keeps what the event was by its digest. Two that are made at once
 * count it once.
 */
export function createCalendarFeeds(
  {
    db,
    commit,
    clock,
    brand,
    config,
  }: Pick<Platform, 'db' | 'commit' | 'clock' | 'brand' | 'config'>,
  { season, occupancy }: { season: () => Promise<SeasonIndex>; occupancy: Occupancy },
): CalendarFeeds {
  const read = db.prepare(
    'SELECT event_id AS id, digest, sequence, modified_at AS modifiedAt FROM event_editions',
  )
  const write = db.prepareWrite(`INSERT INTO event_editions
      (event_id, digest, sequence, modified_at) VALUES (:id, :digest, 0, :modifiedAt)
    ON CONFLICT DO UPDATE SET digest = :digest, sequence = sequence + 1, modified_at = :modifiedAt
      WHERE digest <> :digest`)

  const known = () =>
    new Map((read.all() as (Edition & { id: string })[]).map(({ id, ...edition }) => [id, edition]))

  /** The edition of every event, new ones counted. */
  async function editions(all: readonly FeedEvent[]): Promise<Map<string, Edition>> {
    const found = known()
    const changed: { event: FeedEvent; digest: string }[] = []
    await eachInTurns(all, (event) => {
      const digest = digestOf(event)
      if (found.get(event.id)?.digest !== digest) changed.push({ event, digest })
    })
    for (let at = 0; at < changed.length; at += maxTogether) {
      await commit((tx: Transaction) => {
        for (const { event, digest } of changed.slice(at, at + maxTogether)) {
          const first = !found.has(event.id)
          const modifiedAt = first ? (event.editedAt ?? clock()) : clock()
          write.run(tx, { id: event.id, digest, modifiedAt })
        }
      })
    }
    return changed.length === 0 ? found : known()
  }

  async function document(
    indexed: readonly IndexedEvent[],
    name: string,
    { withSessions = false } = {},
  ): Promise<string> {
    const stateOf = eventStates(indexed, { now: clock(), occupancy })
    const events: FeedEvent[] = []
    await eachInTurns(indexed, (event) => {
      events.push({ ...event, coverage: stateOf(event).coverage })
    })
    const [{ name: producer, uidHost }, edited] = await Promise.all([brand(), editions(events)])
    return feedText({
      name,
      producer,
      refresh,
      entries: events.flatMap((event) => {
        const entry = entryOf(event, edited.get(event.id)!, { siteUrl: config.siteUrl, uidHost })
        return withSessions ? [entry, ...sessionEntries(event, entry)] : [entry]
      }),
    })
  }

  return {
    async whole() {
      const { name } = await brand()
      return document((await season()).all, `${name}: season`)
    },
    async ofSeries(slug) {
      const { all, series } = await season()
      const found = series.find((each) => each.slug === slug)
      return found
        ? document(
            all.filter((event) => event.series?.slug === slug),
            found.title,
          )
        : null
    },
    async ofEvent(id) {
      const event = (await season()).byId.get(id)
      return event ? document([event], event.title, { withSessions: true }) : null
    },
  }
}

/**
 * What makes an edition: everything that a calendar shows. Names and order are part of the digest, so
 * what came later stands at the end, and only where it says something.
 */
function digestOf(event: FeedEvent): string {
  const { id, title, series, venue, city, country, from, to, start, end, zone } = event
  const { startsAt, endsAt, status, coverage, url, description, organizer, sessions } = event
  const shown = {
    id,
    title,
    series,
    venue,
    city,
    country,
    from,
    to,
    start,
    end,
    zone,
    startsAt,
    endsAt,
    status,
    coverage,
    url,
    description,
    ...(organizer && { organizer }),
    ...(sessions.length > 0 && { sessions }),
  }
  return hash('sha256', JSON.stringify(shown), 'base64url').slice(0, 22)
}

const statuses = {
  scheduled: 'CONFIRMED',
  tbc: 'TENTATIVE',
  postponed: 'TENTATIVE',
  cancelled: 'CANCELLED',
} as const

/** What is before the title where an event is one of several, so it is not overlooked. */
export const statusLabels = {
  scheduled: '',
  tbc: 'To be confirmed: ',
  postponed: 'Postponed: ',
  cancelled: 'Cancelled: ',
} as const satisfies Record<EventStatus, string>

const coverages = {
  none: null,
  free: 'You can still book us for this event.',
  covered: 'We’re there.',
  full: 'We’re fully booked for this event.',
} as const

function entryOf(
  event: FeedEvent,
  { sequence, modifiedAt }: Edition,
  { siteUrl, uidHost }: Pick<Brand, 'siteUrl' | 'uidHost'>,
): CalendarEntry {
  const { id, title, series, status, coverage, description, venue, city, country } = event
  const text = [description, coverages[coverage]].filter(Boolean).join('\n\n')
  return {
    uid: `event-${id}@${uidHost}`,
    sequence,
    modifiedAt,
    ...timesOf(event),
    status: statuses[status],
    summary: statusLabels[status] + title,
    ...(text && { description: text }),
    location: [venue, city, country].filter(Boolean).join(', '),
    url: event.url?.startsWith('http') ? event.url : siteUrl + paths.calendarEvent(event.id),
    ...(series && { categories: [series.title] }),
    transparent: true,
  }
}

/** The sessions of an event, each its own entry beside the entry of the event. */
function sessionEntries(event: FeedEvent, entry: CalendarEntry): CalendarEntry[] {
  const { zone, sessions, title, status } = event
  if (zone === null || !isKnownZone(zone)) return []
  const { description: _description, ...common } = entry
  const named = new Map<string, number>()
  return sessions.map((session) => {
    // By its name: by its place, a session before it would hand its reminders to another one.
    const name = slugOf(session.title) || 'session'
    const count = (named.get(name) ?? 0) + 1
    named.set(name, count)
    const start = `${session.date}T${session.start}`
    const isOvernight = session.end !== null && session.end < session.start
    const end =
      session.end === null
        ? start
        : `${isOvernight ? addDays(session.date, 1) : session.date}T${session.end}`
    const uid = entry.uid.replace('@', `-session-${count === 1 ? name : `${name}.${count}`}@`)
    return {
      ...common,
      uid,
      start,
      end,
      zone,
      summary: `${statusLabels[status]}${title}: ${session.title}`,
    }
  })
}

/** Without a zone that calendars know, an event with times is one of whole days. */
function timesOf({ from, to, start, end, zone }: IndexedEvent) {
  if (start === null || zone === null || !isKnownZone(zone))
    return { start: from, end: to, zone: null }
  const last = end === null ? twoHoursLater(from, start) : `${to}T${end}`
  return { start: `${from}T${start}`, end: last, zone }
}

/** Who does not say how long it takes gets two hours in the calendar. */
function twoHoursLater(date: string, time: string): string {
  const hour = Number(time.slice(0, 2)) + 2
  return hour < 24
    ? `${date}T${String(hour).padStart(2, '0')}${time.slice(2)}`
    : `${addDays(date, 1)}T${String(hour - 24).padStart(2, '0')}${time.slice(2)}`
}
