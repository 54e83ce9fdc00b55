import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { Command } from 'commander'
import { checkEvents, eventFields, type OpenEvents, type StoredEvent } from './event-file.ts'
import { eventsOfCsv, eventsOfIcs } from './event-import.ts'
import { ranged, sorted, fullRow, within, type EventRange } from './event-views.ts'
import * as options from './options.ts'
import type { ExportTo, Print } from './print.ts'

/** `events import` and `events export`. */
export function addEventTransfer(events: Command, open: OpenEvents, print: Print): void {
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
    .action(async ({ format, out, raw, ...range }: EventRange & ExportTo) => {
      const rows = within(sorted(await open().read()), range).map(fullRow)
      await print.export(rows, { columns: ['id', ...eventFields], format, out, raw })
    })
}

/** Whether a row has every field of another one; what is missing is as good as empty. */
const saysNothingNew = (row: StoredEvent, event: StoredEvent): boolean =>
  Object.entries(event).every(
    ([field, value]) => ((row as Record<string, unknown>)[field] ?? null) === (value ?? null),
  )
