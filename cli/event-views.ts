import { Option, type Command } from 'commander'
import { eventStatuses } from '#shared/calendar.ts'
import { dateRange } from '#shared/date-format.ts'
import { eventFields, type StoredEvent } from './event-file.ts'
import * as options from './options.ts'
import type { Row } from './print.ts'

/** Which events are asked for. */
export type EventRange = { from?: string; to?: string; status?: (typeof eventStatuses)[number] }

/** The events that a listing is asked for. */
export const within = (rows: readonly StoredEvent[], { from, to, status }: EventRange) =>
  rows.filter(
    (event) =>
      (!from || last(event) >= from) &&
      (!to || day(event.start) <= to) &&
      (!status || (event.status || 'scheduled') === status),
  )

/** Adds the options of {@link EventRange}. */
export const ranged = (command: Command) =>
  command
    .addOption(
      new Option('--from <date>', 'those that end on it or later').argParser(options.civil),
    )
    .addOption(
      new Option('--to <date>', 'those that begin on it or earlier').argParser(options.civil),
    )
    .addOption(new Option('--status <status>', 'only these').choices(eventStatuses))

const day = (time: string) => time.slice(0, 10)
const last = ({ start, end }: StoredEvent) => day(end || start)
/** The earliest first. */
export const sorted = (rows: readonly StoredEvent[]) =>
  rows.toSorted((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0))

/** A row of a table. */
export const tableRow = (event: StoredEvent): Row => ({
  id: event.id,
  dates: dateRange(day(event.start), last(event)),
  title: event.title,
  series: event.series ?? '',
  place: [event.venue, event.city, event.country].filter(Boolean).join(', '),
  status: event.status ?? 'scheduled',
  coverage: event.coverage ?? 'none',
})

/** Every field, as export writes it. */
export const fullRow = (event: StoredEvent): Row => ({
  id: event.id,
  ...Object.fromEntries(eventFields.map((name) => [name, event[name] ?? null])),
})
