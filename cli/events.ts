import { Option, type Command } from 'commander'
import type { Config } from '#server/config.ts'
import { eventCoverages, eventStatuses } from '#shared/calendar.ts'
import { slugOf } from '#shared/slug.ts'
import { eventFields, eventsFile, type OpenEvents, type StoredEvent } from './event-file.ts'
import { addEventTransfer } from './event-transfer.ts'
import { tableRow, ranged, sorted, fullRow, within, type EventRange } from './event-views.ts'
import type { UseConfig } from './command.ts'
import * as options from './options.ts'
import type { Print } from './print.ts'
import { harmless } from './terminal.ts'

type EventFlags = Partial<Record<(typeof eventFields)[number], string>>

/** `events`: the season in CONTENT_DIR. */
export function addEvents(program: Command, useConfig: UseConfig, print: Print): void {
  const events = program.command('events').description('the season in CONTENT_DIR/events.json')
  const open = () => eventsFile(ownContent(useConfig()))
  addReading(events, open, print)
  addCreation(events, open, print)
  addChanges(events, open, print)
  addEventTransfer(events, open, print)
}

function addReading(events: Command, open: OpenEvents, print: Print): void {
  ranged(events.command('list'))
    .description('every event, the earliest first')
    .addOption(options.json())
    .action(async ({ json, ...range }: EventRange & { json?: boolean }) => {
      const rows = within(sorted(await open().read()), range)
      print.listing(rows.map(json ? fullRow : tableRow), { json, none: 'No events.' })
    })

  events
    .command('show <id>')
    .description('one event')
    .addOption(options.json())
    .action(async (id: string, { json }: { json?: boolean }) => {
      const event = fullRow(mustFind(await open().read(), id))
      if (json) print.json(event)
      else print.facts(event)
    })
}

function addCreation(events: Command, open: OpenEvents, print: Print): void {
  fields(events.command('add <title>'))
    .description('add an event; without --id, one that is made from title and year')
    .option('--id <id>', 'stays for ever: feeds and bookings know the event by it')
    .addOption(options.json())
    .action(
      async (
        title: string,
        { id, json, ...flags }: EventFlags & { id?: string; json?: boolean },
      ) => {
        const made = { ...changesFrom(flags), title, Status: 'published' }
        const event = { ...made, id: id ?? idOf(title, made.start) } as StoredEvent
        await open().change((rows) => {
          if (find(rows, event.id))
            throw new Error(`There is an event ${harmless(event.id)} already.`)
          return [...rows, event]
        })
        if (json) print.json(fullRow(event))
        else print.line(`${event.id}: added`)
      },
    )
}

function addChanges(events: Command, open: OpenEvents, print: Print): void {
  fields(events.command('edit <id>'))
    .description('change fields of an event; an empty value takes one away')
    .option('--title <text>', 'its name')
    .action(async (id: string, flags: EventFlags) => {
      await open().change((rows) => {
        const event = mustFind(rows, id)
        return rows.map((row) => (row === event ? { ...row, ...changesFrom(flags) } : row))
      })
      print.line(`${id}: changed`)
    })

  events
    .command('cancel <id>')
    .description('the event does not take place; it stays in the calendar and says so')
    .action(async (id: string) => {
      await open().change((rows) => {
        const event = mustFind(rows, id)
        return rows.map((row) => (row === event ? { ...row, status: 'cancelled' } : row))
      })
      print.line(`${id}: cancelled`)
    })

  events
    .command('remove <id>')
    .description('take an event away that was never one; what is off is cancelled')
    .action(async (id: string) => {
      await open().change((rows) => {
        const event = mustFind(rows, id)
        return rows.filter((row) => row !== event)
      })
      print.line(`${id}: removed`)
    })
}

/** @throws an Error where the content is not ours to write */
function ownContent({ content, contentDir }: Config): string {
  if (content) {
    throw new Error('CONTENT_URL is set: events are kept by that content service. Edit them there.')
  }
  return contentDir
}

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
const changesFrom = (flags: EventFlags): Partial<StoredEvent> =>
  Object.fromEntries(
    eventFields.flatMap((name) =>
      flags[name] === undefined ? [] : [[name, flags[name].trim() || null]],
    ),
  )

const idOf = (title: string, start: string | null | undefined) =>
  [slugOf(title), start?.slice(0, 4)].filter(Boolean).join('-')

const find = (rows: readonly StoredEvent[], id: string) => rows.find((row) => row.id === id)

function mustFind(rows: readonly StoredEvent[], id: string): StoredEvent {
  const event = find(rows, id)
  if (!event) throw new Error(`There is no event ${harmless(id)}.`)
  return event
}
