import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { Command } from 'commander'
import { eventFields } from '#shared/calendar.ts'
import type { ImportResult } from '#server/calendar/acts/acts.ts'
import type { UseContext } from '../common/command.ts'
import { parseRecordRows } from '../common/records.ts'
import * as options from '../common/options.ts'
import type { ExportTo, Print } from '../common/print.ts'
import { harmless } from '../common/terminal.ts'
import { showTouched } from './notices.ts'
import { ranged, fullRow, within, type EventRange } from './views.ts'

type ImportFlags = {
  dryRun?: boolean
  skipBad?: boolean
  zone?: string
  series?: string
  by: string
}

/** `events import` and `events export`. */
export function addEventTransfer(events: Command, useContext: UseContext, print: Print): void {
  events
    .command('import <file>')
    .description('add and update events by ID from .ics, .csv, .json or .ndjson, all or nothing')
    .addOption(options.rehearse())
    .option('--skip-bad', 'skip invalid rows and list them')
    .option('--zone <name>', 'venue time zone, for times in UTC or without a zone')
    .option('--series <text>', 'series of events without one')
    .addOption(options.by())
    .action(
      async (file: string, { dryRun = false, skipBad = false, by, ...flags }: ImportFlags) => {
        const type = extname(file).toLowerCase()
        if (!['.ics', '.csv', '.json', '.ndjson'].includes(type)) {
          throw new Error('Use an .ics, .csv, .json or .ndjson file.')
        }
        const { acts } = (await useContext()).features.calendar
        const text = acts.textOf(await readFile(file))
        const given = { zone: flags.zone ?? null, series: flags.series ?? null }
        const rows =
          type === '.ics'
            ? await acts.readIcs(text, given)
            : acts.readCsv(parseRecordRows(text), given)
        showImport(await acts.import(rows, { actor: by, dryRun, skipBad }), print)
        if (dryRun) print.line(options.dryRun('import them', 'without --dry-run'))
      },
    )

  ranged(events.command('export'))
    .description('export all events in import format')
    .addOption(options.format())
    .addOption(options.out())
    .addOption(options.raw())
    .action(async ({ format, out, raw, ...range }: EventRange & ExportTo) => {
      const { acts } = (await useContext()).features.calendar
      const rows = within(await acts.list(), range).map(fullRow)
      await print.export(rows, { columns: ['id', ...eventFields], format, out, raw })
    })
}

/** Says what an import did: how many events, what was left out, and which bookings it touches. */
export function showImport(
  { added, changed, same, skipped, touched }: ImportResult,
  print: Print,
): void {
  print.line(`${added} added, ${changed} changed, ${same} unchanged`)
  for (const { where, problem } of skipped) print.line(harmless(`Skipped: ${where}: ${problem}`))
  for (const { event, touched: bookings, notice } of touched) {
    print.line(harmless(`\n${event.title}`))
    showTouched(bookings, print)
    if (notice) {
      print.line(harmless(`Emails prepared, not sent: pitlane events notify ${event.id}`))
    }
  }
}
