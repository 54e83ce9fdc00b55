import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A row of the collection of events. */
export type EventRow = Record<string, unknown> & { id: string }

/** An event of the season: a rally on three days in January, unless told otherwise. */
export const eventOf = (changes: Partial<EventRow> = {}): EventRow => ({
  id: 'one',
  title: 'Winter Rally',
  series: 'Snow Series',
  start: '2027-01-22',
  end: '2027-01-24',
  status: 'scheduled',
  coverage: 'free',
  Status: 'published',
  ...changes,
})

/**
 * A content directory of its own: the sample content with other events.
 * @param events those of the sample where none are given
 * @param files further files, by name
 */
export function season(events?: EventRow[], files: Readonly<Record<string, string>> = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'pitlane-content-'))
  cpSync(join(import.meta.dirname, '../../data/content'), directory, { recursive: true })
  const file = join(directory, 'events.json')
  const write = (rows: EventRow[]) => writeFileSync(file, JSON.stringify(rows))
  if (events) write(events)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
  return {
    directory,
    write,
    read: () => JSON.parse(readFileSync(file, 'utf8')) as EventRow[],
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  }
}
