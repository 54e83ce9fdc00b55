import { Option, type Command } from 'commander'
import type { Context } from '#server/context.ts'
import type { StoredEvent, TouchedBooking } from '#server/calendar/schema.ts'
import { eventFields, eventStatuses } from '#shared/calendar.ts'
import { dateRange } from '#shared/dates/date-format.ts'
import { findByName, type Naming } from '../common/named.ts'
import * as options from '../common/options.ts'
import type { Row } from '../common/print.ts'

/** Which events are asked for. */
export type EventRange = {
  from?: string | undefined
  to?: string
  status?: (typeof eventStatuses)[number]
}

/** The events that a listing is asked for. */
export const within = (rows: readonly StoredEvent[], { from, to, status }: EventRange) =>
  rows.filter(
    (event) =>
      (!from || last(event) >= from) &&
      (!to || day(event.start) <= to) &&
      (!status || (event.status || 'scheduled') === status),
  )

/** What people know an event by. */
export const textsOf = ({ id, title, series, venue, city, country, organizer }: StoredEvent) => [
  id,
  title,
  series,
  venue,
  city,
  country,
  organizer,
]

/**
 * An event by its id, or by words of its title or place.
 * @throws when there is none; AmbiguousName when there are several
 */
export async function eventOf(
  acts: Pick<Context['features']['calendar']['acts'], 'list'>,
  given: string,
  how?: Naming,
): Promise<StoredEvent & { id: string }> {
  const all = await acts.list()
  const found =
    all.find(({ id }) => String(id) === given) ??
    findByName(
      'Event',
      given,
      all,
      {
        namesOf: ({ id, title, venue, city, country }) => [String(id), title, venue, city, country],
        ownNamesOf: ({ id, title }) => [String(id), title],
        about: (event) =>
          [event.id, dateRange(day(event.start), last(event)), event.title, event.city]
            .filter(Boolean)
            .join('  '),
      },
      how,
    )
  return { ...found, id: String(found.id) }
}

/** Adds the options of {@link EventRange}. */
export const ranged = (command: Command) =>
  command
    .addOption(new Option('--from <date>', 'ending on or after this date').argParser(options.civil))
    .addOption(
      new Option('--to <date>', 'beginning on or before this date').argParser(options.civil),
    )
    .addOption(new Option('--status <status>', 'only rows with this status').choices(eventStatuses))

const day = (time: string) => time.slice(0, 10)
const last = ({ start, end }: StoredEvent) => day(end || start)

/** A row of a table. */
export const tableRow = (event: StoredEvent): Row => ({
  id: event.id,
  dates: dateRange(day(event.start), last(event)),
  title: event.title,
  series: event.series ?? '',
  place: [event.venue, event.city, event.country].filter(Boolean).join(', '),
  status: event.status ?? 'scheduled',
  coverage: event.coverage || 'by bookings',
})

/** Every field, as export writes it. */
export const fullRow = (event: StoredEvent): Row => ({
  id: event.id,
  ...Object.fromEntries(eventFields.map((name) => [name, event[name] ?? null])),
})

/** A booking that a change touches. */
export const bookingRow = (booking: TouchedBooking): Row => ({
  reference: booking.reference,
  state: booking.state,
  dates: dateRange(booking.from, booking.to),
  name: booking.company ?? booking.name,
  email: booking.mails ? booking.email : 'no emails: please call',
})
