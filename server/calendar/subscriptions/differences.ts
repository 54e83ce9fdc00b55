import { hash } from 'node:crypto'
import { eventFields } from '#shared/calendar.ts'
import { dateRange } from '#shared/dates/date-format.ts'
import { daysAt } from '../event-times.ts'
import { eventId, type StoredEvent } from '../schema.ts'
import { hasAllFieldsOf, type ImportRow } from '../import/merge.ts'

/** What a feed says otherwise than the calendar, for staff to approve. */
export type Difference = {
  eventId: string
  /** `gone`: it was approved from this feed, and the feed no longer has it, not even unreadably. */
  kind: 'new' | 'changed' | 'gone'
  title: string
  /** What changes, a line for each field. */
  lines: readonly string[]
  /** The event as the feed has it; as the calendar has it where it is gone. */
  event: StoredEvent
  /** Of what the feed says now. */
  digest: string
}

type Decision = { decision: 'approved' | 'dismissed'; digest: string }

/** What stands for an event that a feed no longer has. */
const goneDigest = 'gone'

/**
 * Compares a feed with the calendar. What staff have decided about an event is not put before them
 * again until the feed says something else; a field that staff changed themselves stays.
 * @param now milliseconds of the epoch; what is over counts neither as new nor as gone
 */
export function differencesOf({
  rows,
  feed,
  decisions,
  now,
}: {
  rows: readonly StoredEvent[]
  feed: readonly ImportRow[]
  decisions: ReadonlyMap<string, Decision>
  now: number
}): Difference[] {
  const known = new Map(rows.map((row) => [eventId(row), row]))
  const given = feed.flatMap(({ event }) => event ?? [])
  const dayOf = daysAt(now)
  const isComing = (event: StoredEvent) => (event.end || event.start).slice(0, 10) >= dayOf(event)
  const found = given.filter(isComing).flatMap((event): Difference[] => {
    const id = eventId(event)
    const digest = digestOf(event)
    if (decisions.get(id)?.digest === digest) return []
    const row = known.get(id)
    if (row && hasAllFieldsOf(row, { ...event, id: row.id })) return []
    return [
      {
        eventId: id,
        kind: row ? 'changed' : 'new',
        title: event.title,
        lines: row ? changedLines(row, event) : [describe(event)],
        event,
        digest,
      },
    ]
  })
  const there = new Set(given.map(eventId))
  const unread = feed.flatMap((row) => (row.event === null && row.id ? [row.id] : []))
  const isUnread = (id: string) => unread.some((each) => id === each || id.startsWith(`${each}-`))
  const gone = [...decisions].flatMap(([id, { decision, digest }]): Difference[] => {
    const row = known.get(id)
    if (decision !== 'approved' || digest === goneDigest || there.has(id) || !row) return []
    if (isUnread(id)) return []
    if (!isComing(row) || row.status === 'cancelled') return []
    const lines = ['no longer in the feed; approving cancels it']
    return [{ eventId: id, kind: 'gone', title: row.title, lines, event: row, digest: goneDigest }]
  })
  return [...found, ...gone]
}

const digestOf = (event: StoredEvent): string =>
  hash('sha256', JSON.stringify(eventFields.map((name) => event[name] ?? null)), 'base64url').slice(
    0,
    22,
  )

/** What staff approve of a new event: whether, when and where it takes place. */
function describe({ start, end, zone, status, venue, city, country }: StoredEvent): string {
  const [from = '', startTime] = start.split('T')
  const [to = from, endTime] = (end || start).split('T')
  const hours = startTime && [startTime, end && endTime].filter(Boolean).join('–')
  return [
    status && status !== 'scheduled' && status,
    dateRange(from, to),
    hours && [hours, zone].filter(Boolean).join(' '),
    [venue, city, country].filter(Boolean).join(', '),
  ]
    .filter(Boolean)
    .join(' · ')
}

const changedLines = (before: StoredEvent, after: StoredEvent) =>
  eventFields.flatMap((name) => {
    const [was, is] = [before[name] ?? null, after[name] ?? null]
    return after[name] === undefined || was === is
      ? []
      : [`${name}: ${shortened(was)} → ${shortened(is)}`]
  })

const shortened = (value: string | null) =>
  value === null ? 'nothing' : value.length > 60 ? `${value.slice(0, 59)}…` : value
