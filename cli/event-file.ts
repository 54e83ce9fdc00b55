import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { filterPublished } from '#server/content/rows.ts'
import type { StoredRow } from '#server/content/stored-row.ts'
import { checkEventTimes } from './content-events.ts'
import { harmless } from './terminal.ts'

/** The fields of an event that people set, in the order of an export. */
export const eventFields = [
  'title',
  'series',
  'venue',
  'city',
  'country',
  'start',
  'end',
  'zone',
  'status',
  'coverage',
  'url',
  'description',
  'image',
] as const

/** An event as it stands in the file; fields that we do not know stay as they are. */
export type StoredEvent = StoredRow & { id: string; title: string; start: string } & Partial<
    Record<(typeof eventFields)[number], string | null>
  >

/** The events of a content folder. */
export type EventsFile = {
  /** @throws an Error when the file is no list of rows */
  read(): Promise<readonly StoredEvent[]>
  /**
   * Writes what a function makes of the rows: all of it or nothing, and only if the site would show
   * every row of it.
   */
  change(work: (rows: readonly StoredEvent[]) => readonly StoredEvent[]): Promise<void>
}

/** Finds the events of this site when a command asks for them. @throws where a content service keeps them */
export type OpenEvents = () => EventsFile

/** @param dir CONTENT_DIR */
export function eventsFile(dir: string): EventsFile {
  const file = join(dir, 'events.json')
  const text = () =>
    readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '[]'
      throw error
    })
  return {
    read: async () => parse(await text()),
    async change(work) {
      const before = await text()
      const rows = work(parse(before))
      checkEvents(rows)
      const part = join(dir, `.events.${process.pid}.part`)
      await mkdir(dir, { recursive: true })
      const handle = await open(part, 'wx', 0o644)
      try {
        await handle.writeFile(`${JSON.stringify(rows, null, 2)}\n`)
        await handle.sync()
        await handle.close()
        if ((await text()) !== before) {
          throw new Error('events.json was changed by somebody else meanwhile; try again.')
        }
        await rename(part, file)
      } catch (error) {
        await handle.close().catch(() => {})
        await rm(part, { force: true })
        throw error
      }
    },
  }
}

function parse(text: string): StoredEvent[] {
  let rows: unknown
  try {
    rows = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new Error(`events.json is no JSON: ${(error as Error).message}`, { cause: error })
  }
  if (!Array.isArray(rows)) throw new Error('events.json has to be a list of rows.')
  return rows as StoredEvent[]
}

/** @throws an Error that names every row that the site would leave out, doubles, and times that there are not */
export function checkEvents(rows: readonly StoredEvent[]): void {
  const problems: string[] = []
  const log = {
    warn: (fact: unknown) => {
      const { row, field, problem } = fact as { row: unknown; field: string; problem: string }
      problems.push(`${String(row)}, ${field}: ${problem}`)
    },
  }
  // Drafts are checked like everything else.
  const all = rows.map((row) => ({ ...row, Status: 'published' }))
  filterPublished('events', all, {
    now: Date.now(),
    log: log as Parameters<typeof filterPublished>[2]['log'],
  })
  const ids = new Set<string>()
  for (const row of rows) {
    const { id } = row
    checkEventTimes(row, (problem, field) => problems.push(`${id}, ${field}: ${problem}`))
    if (typeof id !== 'string' || id === '') problems.push('a row has no id')
    else if (ids.has(id)) problems.push(`${id} stands there twice`)
    ids.add(id)
  }
  if (problems.length > 0) {
    throw new Error(harmless(`Nothing was changed:\n  ${problems.slice(0, 20).join('\n  ')}`))
  }
}
