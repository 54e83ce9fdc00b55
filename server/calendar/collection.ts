import * as z from 'zod/mini'
import { eventCoverages, eventStatuses } from '#shared/calendar.ts'
import { id, optionalText, text, title, type CollectionDefinition } from '../content/collection.ts'
import { settleEvent } from './event-times.ts'

const choice = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, { error: `None of ${values.join(', ')}` })

/** A Directus gives null where nothing was chosen. */
const status = z.pipe(
  z.transform((given: unknown) => given ?? eventStatuses[0]),
  choice(eventStatuses),
)

const schema = z.object({
  id,
  title,
  series: optionalText,
  venue: optionalText,
  city: optionalText,
  country: optionalText,
  /** YYYY-MM-DD, a civil date; or YYYY-MM-DDTHH:MM, the local time in `zone`. */
  start: text,
  /** As `start`; a date is the last day. Without it the event is one day long, or open-ended. */
  end: optionalText,
  /** An IANA time zone. */
  zone: optionalText,
  /** Of the event; `Status` says whether it is published. */
  status,
  /** Pinned by staff; without it, coverage follows bookings and rules. */
  coverage: z.optional(z.nullable(choice(eventCoverages))),
  /** Who holds the event: a name. The agency's own where it is the name of the site. */
  organizer: optionalText,
  /** The organiser's page. */
  url: optionalText,
  description: optionalText,
  /** A line each: `2027-06-05 10:00-11:30 Qualifying`, by the clock in `zone`. */
  sessions: optionalText,
  image: optionalText,
  /** A system field of a Directus. */
  date_updated: optionalText,
  Status: optionalText,
})

/** The events of the season, the earliest first. Their `status` is the organiser's. */
export const events = {
  schema,
  kinds: { url: 'link', image: 'picture', date_updated: 'date' },
  order: ['start'],
  optional: true,
  addressOf: (row) => String(row.id),
  statusOf: ({ Status }) => Status,
  settle: settleEvent,
} as const satisfies CollectionDefinition<typeof schema>
