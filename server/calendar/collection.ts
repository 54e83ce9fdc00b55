import * as z from 'zod/mini'
import { eventCoverages, eventStatuses } from '#shared/calendar.ts'
import { id, optionalText, text, type CollectionDefinition } from '../content/collection.ts'
import { settleEvent } from './event-times.ts'

/** A closed list of values; a Directus gives null where nothing was chosen, which is the first one. */
const choice = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.pipe(
    z.transform((given: unknown) => given ?? values[0]),
    z.enum(values, { error: `None of ${values.join(', ')}` }),
  )

const schema = z.object({
  id,
  title: text,
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
  status: choice(eventStatuses),
  coverage: choice(eventCoverages),
  url: optionalText,
  description: optionalText,
  image: optionalText,
  /** A system field of a Directus. */
  date_updated: optionalText,
  Status: optionalText,
})

/** The events of the season, the earliest first. Their `status` is the organiser's. */
export const events = {
  schema,
  kinds: { url: 'link', image: 'picture' },
  order: ['start'],
  optional: true,
  statusOf: ({ Status }) => Status,
  settle: settleEvent,
} as const satisfies CollectionDefinition<typeof schema>
