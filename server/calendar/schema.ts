import * as z from 'zod/mini'
import { eventStatuses, type eventFields } from '#shared/calendar.ts'
import type { CivilDate } from '#shared/dates/civil-dates.ts'
import type { StoredRow } from '../content/collection.ts'
import {
  defineTable,
  integer,
  json,
  made,
  nullable,
  text,
  textOf,
  type RowOf,
} from '../db/table.ts'

/** An event as it is in the file; fields that we do not know stay as they are. */
export type StoredEvent = StoredRow & {
  id: string | number
  title: string
  start: string
} & EventFields

/** Fields of an event to be set; null clears one. */
export type EventFields = Partial<Record<(typeof eventFields)[number], string | null>>

/** An event's id as people write it: content services also number their rows. Empty without one. */
export const eventId = ({ id }: { id?: unknown }): string =>
  typeof id === 'string' || typeof id === 'number' ? String(id) : ''

/** A booking as the calendar knows it. */
export type TouchedBooking = {
  reference: string
  state: string
  from: CivilDate
  to: CivilDate
  place: string
  eventId: string | null
  name: string
  email: string
  company: string | null
  /** Whether its customer gets emails; false for someone who only calls. */
  mails: boolean
}

/** What of an event matters to those who have booked us for it. */
export const eventFacts = z.object({
  title: z.string(),
  status: z.enum(eventStatuses),
  start: z.string(),
  end: z.nullable(z.string()),
  zone: z.nullable(z.string()),
  place: z.string(),
})

/** See {@link eventFacts}. */
export type EventFacts = z.output<typeof eventFacts>

/** What the bookings of an event are to be told, or were told. */
export const eventNotices = defineTable('event_notices', {
  id: made(integer()),
  eventId: text(),
  before: json(eventFacts),
  after: json(eventFacts),
  createdAt: integer(),
  author: text(),
  sentAt: nullable(integer()),
})

/** A row of {@link eventNotices}. */
export type EventNotice = RowOf<typeof eventNotices>

/** Calendars of organisers that staff have subscribed to. */
export const eventFeeds = defineTable('event_feeds', {
  id: made(integer()),
  url: text(),
  zone: nullable(text()),
  series: nullable(text()),
  createdAt: integer(),
  author: text(),
  /** When it was last asked for, and when it last answered. */
  checkedAt: nullable(integer()),
  fetchedAt: nullable(integer()),
  etag: nullable(text()),
  /** The calendar as it was last fetched. */
  body: nullable(text()),
  /** Why the last attempt failed; null where it did not. */
  problem: nullable(text()),
  /** Attempts that failed since the last good one. */
  failures: integer(),
  /** Differences that wait for staff. */
  openChanges: integer(),
  /** Digests of the differences that staff were last shown, by event; null where they never looked. */
  shown: nullable(json(z.record(z.string(), z.string()))),
})

/** A row of {@link eventFeeds}. */
export type EventFeed = RowOf<typeof eventFeeds>

/** What staff decided about an event of a feed. */
export const feedDecisions = defineTable('event_feed_decisions', {
  feedId: integer(),
  eventId: text(),
  decision: textOf<'approved' | 'dismissed'>(),
  digest: text(),
})
