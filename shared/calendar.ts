import * as z from 'zod/mini'
import type { Picture } from './content.ts'
import { endpoint, json } from './endpoint.ts'

/** What an organiser says of an event; nothing vanishes because it does not take place. */
export const eventStatuses = ['scheduled', 'tbc', 'postponed', 'cancelled'] as const

/** One of {@link eventStatuses}. */
export type EventStatus = (typeof eventStatuses)[number]

/**
 * Whether we are there: `none` says nothing, `free` that we can still be booked, `covered` that we are
 * there, `full` that we are booked out.
 */
export const eventCoverages = ['none', 'free', 'covered', 'full'] as const

/** One of {@link eventCoverages}. */
export type EventCoverage = (typeof eventCoverages)[number]

/** The fields of an event that people set, in the order of an export. */
export const eventFields = [
  'title',
  'series',
  'venue',
  'city',
  'country',
  'start',
  'end',
  'zone',
  'status',
  'coverage',
  'organizer',
  'url',
  'description',
  'sessions',
  'image',
] as const

/** A series of events, by the slug that it has in addresses. */
export type Series = { slug: string; title: string; count: number }

/** A part of an event with times of its own, such as qualifying. */
export type EventSession = {
  title: string
  /** The civil date of its start, YYYY-MM-DD. */
  date: string
  /** HH:MM by the clock where the event is. */
  start: string
  end: string | null
  /** Instants, ISO 8601 with Z; null where the zone is not known. */
  startsAt: string | null
  endsAt: string | null
  /** See {@link Stretch}. */
  inHelsinki: string | null
}

/** A stretch of time at a place, by the clock there and as instants. */
export type Stretch = {
  /** Civil dates, YYYY-MM-DD, of the first and last day where it is. */
  from: string
  to: string
  /** HH:MM by the clock there; null for whole days. */
  start: string | null
  end: string | null
  /** Instants, ISO 8601 with Z; null for whole days and where the zone is not known. */
  startsAt: string | null
  endsAt: string | null
  /**
   * The hours by the clock in Helsinki, with the day where that is another one: "15 May, 01:00–04:00".
   * Null where there are none, and where Helsinki's is the clock of the place.
   */
  inHelsinki: string | null
}

/** An event of the calendar. */
export type SeasonEvent = Stretch & {
  id: string
  title: string
  series: { slug: string; title: string } | null
  venue: string | null
  city: string | null
  country: string | null
  /** IANA name; null where it is not known. */
  zone: string | null
  status: EventStatus
  /** Whether its last day has passed where it is. */
  isOver: boolean
  coverage: EventCoverage
  /** The organiser's page. */
  url: string | null
  /** Who holds it; null where that is not known. */
  organizer: string | null
  description: string | null
  picture: Picture | null
  /** Where it can be booked; null when it cannot. */
  bookPath: string | null
}

/** A part of the season, as its address asks for it. */
export type Season = {
  /** Today in Helsinki. */
  today: string
  /** Every series, most events first. */
  series: Series[]
  /** The series of the address; null for all. */
  chosen: { slug: string; title: string } | null
  /** Events of the asked-for month, or those that are still to come; the earliest first. */
  events: SeasonEvent[]
  /** What is over, the latest first; empty where a month is asked for. */
  past: SeasonEvent[]
  /** How many more are still to come than are listed. */
  more: number
  /** The asked-for month, or that of today; YYYY-MM. */
  month: string
  /** Months that have events, in order; YYYY-MM. */
  months: string[]
}

/** The season: by month where one is asked for, by series. */
export const getSeason = endpoint({
  method: 'GET',
  path: '/api/calendar',
  input: z.object({
    month: z.optional(z.string().check(z.maxLength(10))),
    series: z.optional(z.string().check(z.maxLength(120))),
  }),
  output: json<Season>(),
})

/** An event with its own page. */
export type EventDetails = {
  /** Today in Helsinki. */
  today: string
  event: SeasonEvent
  /** In order of time. */
  sessions: EventSession[]
  /** What comes after it: in its series, else in the season. */
  next: SeasonEvent[]
}

/** One event; 404 for one that is not there. */
export const getEvent = endpoint({
  method: 'GET',
  path: '/api/calendar/events/:id',
  // Of any length: what is none of ours is a page that is not there.
  input: z.object({ id: z.string() }),
  output: json<EventDetails>(),
})
