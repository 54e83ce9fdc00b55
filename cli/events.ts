import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { Option, type Command } from 'commander'
import type { Config } from '#server/config.ts'
import { dateRange } from '#shared/date-format.ts'
import { eventCoverages, eventStatuses } from '#shared/calendar.ts'
import { slugOf } from '#shared/slug.ts'
import { checkEvents, eventFields, eventsFile, type StoredEvent } from './event-file.ts'
import { eventsOfCsv, eventsOfIcs } from './event-import.ts'
import type { UseConfig } from './command.ts'
import * as options from './options.ts'
import type { ExportTo, Print, Row } from './print.ts'
import { harmless } from './terminal.ts'

type Range = { from?: string; to?: string; status?: (typeof eventStatuses)[number] }
type Wishes = Partial<Record<(typeof eventFields)[number], string>>

/** `events`: the season in CONTENT_DIR. */
export function addEvents(program: Command, useConfig: UseConfig, print: Print): void {
  const events = program.command('events').description('the season in CONTENT_DIR/events.json')
  const open = () => eventsFile(ownContent(useConfig()))

  ranged(events.command('list'))
    .description('every event, the earliest first')
    .addOption(options.json())
    .action(async ({ json, ...range }: Range & { json?: boolean }) => {
      const rows = within(sorted(await open().read()), range)
      print.listing(rows.map(json ? whole : brief), { json, none: 'No events.' })
    })

  events
    .command('show <id>')
    .description('one event')
    .addOption(options.json())
    .action(async (id: string, { json }: { json?: boolean }) => {
      const event = whole(known(await open().read(), id))
      if (json) print.json(event)
      else print.facts(event)
    })

  fields(events.command('add <title>'))
    .description('add an event; without --id, one that is made from title and year')
    .option('--id <id>', 'stays for ever: feeds and bookings know the event by it')
    .addOption(options.json())
    .action(
      async (title: string, { id, json, ...wishes }: Wishes & { id?: string; json?: boolean }) => {
        const made = { ...told(wishes), title, Status: 'published' }
        const event = { ...made, id: id ?? idOf(title, made.start) } as StoredEvent
        await open().change((rows) => {
          if (find(rows, event.id))
            throw new Error(`There is an event ${harmless(event.id)} already.`)
          return [...rows, event]
        })
        if (json) print.json(whole(event))
        else print.line(`${event.id}: added`)
      },
    )

  fields(events.command('edit <id>'))
    .description('change fields of an event; an empty value takes one away')
    .option('--title <text>', 'its name')
    .action(async (id: string, wishes: Wishes) => {
      await open().change((rows) => {
        const event = known(rows, id)
        return rows.map((row) => (row === event ? { ...row, ...told(wishes) } : row))
      })
      print.line(`${id}: changed`)
    })

  events
    .command('cancel <id>')
    .description('the event does not take place; it stays in the calendar and says so')
    .action(async (id: string) => {
      await open().change((rows) => {
        const event = known(rows, id)
        return rows.map((row) => (row === event ? { ...row, status: 'cancelled' } : row))
      })
      print.line(`${id}: cancelled`)
    })

  events
    .command('remove <id>')
    .description('take an event away that was never one; what is off is cancelled')
    .action(async (id: string) => {
      await open().change((rows) => {
        const event = known(rows, id)
        return rows.filter((row) => row !== event)
      })
      print.line(`${id}: removed`)
    })

  addTransfer(events, open, print)
}

function addTransfer(
  events: Command,
  open: () => ReturnType<typeof eventsFile>,
  print: Print,
): void {
  events
    .command('import <file>')
    .description('add and update events by their id from .ics or .csv; all of it, or nothing')
    .option('--dry-run', 'say what would change')
    .action(async (file: string, { dryRun = false }: { dryRun?: boolean }) => {
      const type = extname(file).toLowerCase()
      if (type !== '.ics' && type !== '.csv') throw new Error('Import takes a file .ics or .csv.')
      const text = await readFile(file, 'utf8')
      const given = type === '.ics' ? eventsOfIcs(text) : eventsOfCsv(text)
      const counts = { added: 0, changed: 0, same: 0 }
      const merge = (rows: readonly StoredEvent[]) => {
        const merged = new Map(rows.map((row) => [row.id, row]))
        for (const event of given) {
          const before = merged.get(event.id)
          const isSame = before !== undefined && saysNothingNew(before, event)
          counts[before ? (isSame ? 'same' : 'changed') : 'added'] += 1
          if (!isSame) merged.set(event.id, { Status: 'published', ...before, ...event })
        }
        return [...merged.values()]
      }
      if (dryRun) checkEvents(merge(await open().read()))
      else await open().change(merge)
      const { added, changed, same } = counts
      print.line(
        `${dryRun ? 'Would be: ' : ''}${added} added, ${changed} changed, ${same} unchanged`,
      )
    })

  ranged(events.command('export'))
    .description('every event, in the shape that import reads')
    .addOption(options.format())
    .addOption(options.out())
    .addOption(options.raw())
    .action(async ({ format, out, raw, ...range }: Range & ExportTo) => {
      const rows = within(sorted(await open().read()), range).map(whole)
      await print.export(rows, { columns: ['id', ...eventFields], format, out, raw })
    })
}

/** @throws an Error where the content is not ours to write */
function ownContent({ content, contentDir }: Config): string {
  if (content) {
    throw new Error('CONTENT_URL is set: events are kept by that content service. Edit them there.')
  }
  return contentDir
}

const within = (rows: readonly StoredEvent[], { from, to, status }: Range) =>
  rows.filter(
    (event) =>
      (!from || last(event) >= from) &&
      (!to || day(event.start) <= to) &&
      (!status || (event.status || 'scheduled') === status),
  )

const ranged = (command: Command) =>
  command
    .addOption(
      new Option('--from <date>', 'those that end on it or later').argParser(options.civil),
    )
    .addOption(
      new Option('--to <date>', 'those that begin on it or earlier').argParser(options.civil),
    )
    .addOption(new Option('--status <status>', 'only these').choices(eventStatuses))

const fields = (command: Command) =>
  command
    .option('--start <when>', 'YYYY-MM-DD, or YYYY-MM-DDTHH:MM by the clock in --zone')
    .option('--end <when>', 'the last day itself, or a time')
    .option('--zone <name>', 'of the place, such as Europe/Helsinki')
    .option('--series <text>', 'the series it belongs to')
    .option('--venue <text>', 'track or rally centre')
    .option('--city <text>', 'town')
    .option('--country <text>', 'country')
    .addOption(new Option('--status <status>', 'of the event').choices(eventStatuses))
    .addOption(new Option('--coverage <coverage>', 'whether we are there').choices(eventCoverages))
    .option('--url <address>', "the organiser's page")
    .option('--description <text>', 'a few sentences')
    .option('--image <id>', 'a picture in assets/')

/** What was said, with null for what is taken away. */
const told = (wishes: Wishes): Partial<StoredEvent> =>
  Object.fromEntries(
    eventFields.flatMap((name) =>
      wishes[name] === undefined ? [] : [[name, wishes[name].trim() || null]],
    ),
  )

const idOf = (title: string, start: string | null | undefined) =>
  [slugOf(title), start?.slice(0, 4)].filter(Boolean).join('-')

const find = (rows: readonly StoredEvent[], id: string) => rows.find((row) => row.id === id)

function known(rows: readonly StoredEvent[], id: string): StoredEvent {
  const event = find(rows, id)
  if (!event) throw new Error(`There is no event ${harmless(id)}.`)
  return event
}

const day = (time: string) => time.slice(0, 10)
const last = ({ start, end }: StoredEvent) => day(end || start)
const sorted = (rows: readonly StoredEvent[]) =>
  rows.toSorted((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0))

const brief = (event: StoredEvent): Row => ({
  id: event.id,
  dates: dateRange(day(event.start), last(event)),
  title: event.title,
  series: event.series ?? '',
  place: [event.venue, event.city, event.country].filter(Boolean).join(', '),
  status: event.status ?? 'scheduled',
  coverage: event.coverage ?? 'none',
})

const whole = (event: StoredEvent): Row => ({
  id: event.id,
  ...Object.fromEntries(eventFields.map((name) => [name, event[name] ?? null])),
})

/** Whether a row has every field of another one; what is missing is as good as empty. */
const saysNothingNew = (row: StoredEvent, event: StoredEvent): boolean =>
  Object.entries(event).every(
    ([field, value]) => ((row as Record<string, unknown>)[field] ?? null) === (value ?? null),
  )
