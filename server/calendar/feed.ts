import { hash } from 'node:crypto'
import { addDays } from '#shared/civil-dates.ts'
import { paths } from '#shared/paths.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Platform } from '../feature.ts'
import { calendarText, isKnownZone, type CalendarEntry } from '../icalendar/document.ts'
import type { IndexedEvent, SeasonIndex } from './season.ts'

/** How often a subscriber may ask again (RFC 7986, 5.7). */
const refresh = 'PT6H'

/** The events as calendars that people subscribe to (docs/contract.md, Calendar). */
export type CalendarFeeds = {
  /** All events. */
  whole(): Promise<string>
  /** Those of one series; null when there is no such series. */
  ofSeries(slug: string): Promise<string | null>
}

/** An edition of an event: SEQUENCE and LAST-MODIFIED follow from it. */
type Edition = { digest: string; sequence: number; modifiedAt: number }

/**
 * Makes the feeds. Content has no numbers for its editions, so the first feed that is made after a
 * change of an event counts it, and keeps what the event was by its digest.
 */
export function createCalendarFeeds(
  {
    db,
    commit,
    clock,
    brand,
    config,
  }: Pick<Platform, 'db' | 'commit' | 'clock' | 'brand' | 'config'>,
  season: () => Promise<SeasonIndex>,
): CalendarFeeds {
  const read = db.prepare(
    'SELECT event_id AS id, digest, sequence, modified_at AS modifiedAt FROM event_editions',
  )
  const write = db.prepareWrite(`INSERT INTO event_editions
      (event_id, digest, sequence, modified_at) VALUES (:id, :digest, 0, :modifiedAt)
    ON CONFLICT DO UPDATE SET digest = :digest, sequence = sequence + 1, modified_at = :modifiedAt`)

  const known = () =>
    new Map((read.all() as (Edition & { id: string })[]).map(({ id, ...edition }) => [id, edition]))

  /** The edition of every event, new ones counted. */
  async function editions(all: readonly IndexedEvent[]): Promise<Map<string, Edition>> {
    const found = known()
    const changed = all
      .map((event) => ({ event, digest: digestOf(event) }))
      .filter(({ event, digest }) => found.get(event.id)?.digest !== digest)
    if (changed.length === 0) return found
    await commit((tx: Transaction) => {
      for (const { event, digest } of changed) {
        const first = !found.has(event.id)
        const modifiedAt = first ? (event.editedAt ?? clock()) : clock()
        write.run(tx, { id: event.id, digest, modifiedAt })
      }
    })
    return known()
  }

  async function document(events: readonly IndexedEvent[], name: string): Promise<string> {
    const [{ name: producer }, edited] = await Promise.all([brand(), editions(events)])
    return calendarText({
      name,
      producer,
      refresh,
      entries: events.map((event) => entryOf(event, edited.get(event.id)!, config.siteUrl)),
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
  }
}

/** What makes an edition: everything that a calendar shows. */
const digestOf = ({ editedAt: _editedAt, image: _image, ...event }: IndexedEvent): string =>
  hash('sha256', JSON.stringify(event), 'base64url').slice(0, 22)

const statuses = {
  scheduled: 'CONFIRMED',
  tbc: 'TENTATIVE',
  postponed: 'TENTATIVE',
  cancelled: 'CANCELLED',
} as const

/** What stands before the title, so that it is not overlooked. */
const labels = {
  scheduled: '',
  tbc: 'To be confirmed: ',
  postponed: 'Postponed: ',
  cancelled: 'Cancelled: ',
}

const coverages = {
  none: null,
  free: 'We are there and have places left.',
  covered: 'We are there.',
  full: 'We are there; all places are booked.',
} as const

function entryOf(
  event: IndexedEvent,
  { sequence, modifiedAt }: Edition,
  siteUrl: string,
): CalendarEntry {
  const { id, title, series, status, coverage, description, venue, city, country } = event
  const text = [description, coverages[coverage]].filter(Boolean).join('\n\n')
  return {
    uid: `event-${id}@${new URL(siteUrl).hostname}`,
    sequence,
    modifiedAt,
    ...timesOf(event),
    status: statuses[status],
    summary: labels[status] + title,
    ...(text && { description: text }),
    location: [venue, city, country].filter(Boolean).join(', '),
    url: event.url?.startsWith('http')
      ? event.url
      : siteUrl + paths.calendarEvent(event.id, event.from),
    ...(series && { categories: [series.title] }),
    transparent: true,
  }
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
