import { Option, type Command } from 'commander'
import type { EventFields } from '#server/calendar/schema.ts'
import { dateAt } from '#shared/dates/civil-dates.ts'
import { eventCoverages, eventFields, eventStatuses } from '#shared/calendar.ts'
import type { UseContext } from '../common/command.ts'
import { searchOptions, searched, type SearchFlags } from '../common/list.ts'
import * as options from '../common/options.ts'
import type { Print } from '../common/print.ts'
import { historyOf } from '../history.ts'
import { addFeeds } from './feeds.ts'
import { addNotices, showTouched, noticesOfChange } from './notices.ts'
import { addEventTransfer } from './transfer.ts'
import { eventOf, textsOf, tableRow, ranged, fullRow, within, type EventRange } from './views.ts'

type EventFlags = Partial<Record<(typeof eventFields)[number], string>>
type Doing = { by: string; send?: boolean }

type ListedEvents = SearchFlags & EventRange & { series?: string }

/** `events`: the season in CONTENT_DIR. */
export function addEvents(events: Command, useContext: UseContext, print: Print): void {
  addReading(events, useContext, print)
  addCreation(events, useContext, print)
  addChanges(events, useContext, print)
  addNotices(events, useContext, print)
  addEventTransfer(events, useContext, print)
  addFeeds(events, useContext, print)
}

function addReading(events: Command, useContext: UseContext, print: Print): void {
  ranged(searchOptions(events.command('list')))
    .description('list events: upcoming first, then past (JSON by date)')
    .option('--series <text>', 'only events of this series')
    .action(async ({ json, limit, search, since, series, ...range }: ListedEvents) => {
      const context = await useContext()
      const from = range.from ?? (since === undefined ? undefined : dateAt(since))
      const { acts } = context.features.calendar
      const found = within(await acts.list(), { ...range, from }).filter(
        (event) => series === undefined || event.series?.toLowerCase() === series.toLowerCase(),
      )
      const isByDays = json || from !== undefined || range.to !== undefined
      const those = isByDays ? found : acts.nextFirst(found)
      print.list(searched(those, search, textsOf), {
        json,
        limit,
        what: 'events',
        none: 'No events.',
        row: tableRow,
        full: fullRow,
      })
    })

  events
    .command('show <id>')
    .description('show an event: whether it can be booked, its bookings and history')
    .addOption(options.json())
    .action(async (given: string, { json }: { json?: boolean }) => {
      const { features, timeline } = await useContext()
      const { acts, stateOf } = features.calendar
      const event = await eventOf(acts, given)
      const { id } = event
      if (json) {
        print.json(fullRow(event))
        return
      }
      const state = await stateOf(id)
      print.facts(fullRow(event))
      if (state) {
        const why = state.isPinned ? 'pinned' : 'from bookings and rules'
        print.line(`\nOn the site: coverage ${state.coverage} (${why})`)
        print.line(state.reason ? `Can’t be booked: ${state.reason}` : 'Can be booked.')
      }
      showTouched(acts.touchedBy(event), print)
      print.line('')
      print.listing(historyOf(timeline, 'event', id), { none: 'No history yet.' })
    })
}

function addCreation(events: Command, useContext: UseContext, print: Print): void {
  fields(events.command('add <title>'))
    .description('add an event; without --id, the ID is made from title and year')
    .option('--id <id>', 'permanent: feeds and bookings refer to the event by it')
    .addOption(options.by())
    .addOption(options.json())
    .action(
      async (
        title: string,
        { id, by, json, ...flags }: EventFlags & Doing & { id?: string; json?: boolean },
      ) => {
        const { acts } = (await useContext()).features.calendar
        const { event, touched } = await acts.add({ ...changesFrom(flags), title, id }, by)
        if (json) {
          print.json(fullRow(event))
          return
        }
        print.line(`${event.id}: added`)
        showTouched(touched, print)
      },
    )
}

function addChanges(events: Command, useContext: UseContext, print: Print): void {
  fields(events.command('edit <id>'))
    .description('change fields of an event; an empty value clears the field')
    .option('--title <text>', 'title')
    .addOption(options.sendMails())
    .addOption(options.by())
    .action(async (given: string, { by, send, ...flags }: EventFlags & Doing, verb: Command) => {
      options.mustChangeSomething(verb)
      const { acts } = (await useContext()).features.calendar
      const { id } = await eventOf(acts, given)
      const change = await acts.edit(id, changesFrom(flags), by)
      print.line(`${id}: changed`)
      await noticesOfChange(acts, change, { send, by }, print)
    })

  events
    .command('cancel <id>')
    .description('cancel an event (stays listed as cancelled)')
    .addOption(options.sendMails())
    .addOption(options.by())
    .action(async (given: string, { by, send }: Doing) => {
      const { acts } = (await useContext()).features.calendar
      const { id } = await eventOf(acts, given)
      const change = await acts.cancel(id, by)
      print.line(`${id}: cancelled`)
      await noticesOfChange(acts, change, { send, by }, print)
    })

  events
    .command('remove <id>')
    .description('delete an event added by mistake')
    .addOption(options.yes())
    .addOption(options.by())
    .action(async (given: string, { yes, by }: Doing & { yes?: boolean }) => {
      const { acts } = (await useContext()).features.calendar
      const event = await eventOf(acts, given, { exactly: true })
      if (yes) {
        const { touched } = await acts.remove(event.id, by)
        print.line(`${event.id}: removed`)
        showTouched(touched, print)
        return
      }
      print.facts(tableRow(event))
      showTouched(acts.touchedBy(event), print)
      print.line(options.dryRun('remove it'))
    })
}

const fields = (command: Command) =>
  command
    .option('--start <when>', 'YYYY-MM-DD, or YYYY-MM-DDTHH:MM local time in --zone')
    .option('--end <when>', 'last day (inclusive), or a time')
    .option('--zone <name>', 'time zone of the venue, such as Europe/Helsinki')
    .option('--series <text>', 'series')
    .option('--venue <text>', 'circuit or rally centre')
    .option('--city <text>', 'town')
    .option('--country <text>', 'country')
    .addOption(new Option('--status <status>', 'of the event').choices(eventStatuses))
    .addOption(
      new Option(
        '--coverage <coverage>',
        'fix whether we cover it; empty follows bookings and rules',
      ).choices([...eventCoverages, '']),
    )
    .option('--organizer <name>', 'organiser')
    .option('--url <address>', 'the organiser’s page')
    .option('--description <text>', 'a few sentences')
    .option('--sessions <lines>', 'a line each: "2027-06-05 10:00-11:30 Qualifying"')
    .option('--image <id>', 'an image in assets/')

/** What was said, with null for what is taken away. */
const changesFrom = (flags: EventFlags): EventFields =>
  Object.fromEntries(
    eventFields.flatMap((name) =>
      flags[name] === undefined ? [] : [[name, flags[name].trim() || null]],
    ),
  )
