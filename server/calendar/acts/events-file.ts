import { mkdir, open, readFile, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { filterPublished } from '../../content/published/rows.ts'
import type { Note } from '../../content/files/extra-content-files.ts'
import { decodedText } from '../../text/decoded-text.ts'
import { checkEventTimes } from '../event-times.ts'
import { eventId, type StoredEvent } from '../schema.ts'
import { checkSessions } from '../sessions.ts'

/** The events of a content folder. */
export type EventsFile = {
  /** @throws an Error when the file isn't a list of rows */
  read(): Promise<readonly StoredEvent[]>
  /**
   * Writes what a function makes of the rows: all of it or nothing, and only if the site would show
   * every row of it.
   * @param options `dryRun` checks it alone
   * @throws an Error that names what the site would leave out
   */
  change(
    work: (rows: readonly StoredEvent[]) => readonly StoredEvent[],
    options?: { dryRun?: boolean },
  ): Promise<void>
}

/** Milliseconds after which a half-written file is what a crash left behind. */
const abandonedAfter = 60_000

/**
 * Opens a file that only one change at a time may write. In a container, process IDs repeat, so one that a
 * crash left behind would be in the way for ever.
 * @throws an Error while another change of this process is being written
 */
async function openAlone(part: string): Promise<FileHandle> {
  const left = await stat(part).catch(() => null)
  if (left && Date.now() - left.mtimeMs > abandonedAfter) await rm(part, { force: true })
  return open(part, 'wx', 0o644).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
    throw new Error('events.json is being changed by someone else; try again.', { cause: error })
  })
}

/** @param dir CONTENT_DIR */
export function eventsFile(dir: string): EventsFile {
  const file = join(dir, 'events.json')
  const text = () =>
    readFile(file).then(decodedText, (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '[]'
      throw error
    })
  return {
    read: async () => parse(await text()),
    async change(work, { dryRun = false } = {}) {
      const before = await text()
      const rows = work(parse(before))
      checkEvents(rows)
      if (dryRun) return
      const part = join(dir, `.events.${process.pid}.part`)
      await mkdir(dir, { recursive: true })
      const handle = await openAlone(part)
      try {
        await handle.writeFile(`${JSON.stringify(rows, null, 2)}\n`)
        await handle.sync()
        await handle.close()
        if ((await text()) !== before) {
          throw new Error('events.json was changed by someone else in the meantime; try again.')
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
    rows = JSON.parse(text)
  } catch (error) {
    throw new Error(`events.json isn’t valid JSON: ${(error as Error).message}`, { cause: error })
  }
  if (!Array.isArray(rows)) throw new Error('events.json must be a list of rows.')
  return rows as StoredEvent[]
}

/** What the site would leave out of a row, a sentence each with the field; none where it is good. */
export function problemsOf(row: StoredEvent): string[] {
  const problems: string[] = []
  const log = {
    warn: (fact: unknown) => {
      const { field, problem } = fact as { field: string; problem: string }
      problems.push(`${field}: ${problem}`)
    },
  }
  // Drafts are checked like everything else.
  filterPublished('events', [{ ...row, Status: 'published' }], {
    now: Date.now(),
    log: log as Parameters<typeof filterPublished>[2]['log'],
  })
  const note: Note = (problem, field) => problems.push(`${field}: ${problem}`)
  checkEventTimes(row, note)
  checkSessions(row, note)
  return problems
}

/** Problems that one error names, at most. */
const maxNamed = 20

/** @throws an Error that names every row that the site would leave out, and doubles */
function checkEvents(rows: readonly StoredEvent[]): void {
  const problems: string[] = []
  const ids = new Set<string>()
  for (const row of rows) {
    const name = eventId(row)
    problems.push(...problemsOf(row).map((problem) => `${name}, ${problem}`))
    if (name === '') problems.push('a row has no id')
    else if (ids.has(name)) problems.push(`duplicate ID ${name}`)
    ids.add(name)
  }
  if (problems.length > 0) throw nothingChanged(problems)
}

/** What to throw for problems that keep everything as it is. */
export const nothingChanged = (problems: readonly string[]): Error => {
  const more = problems.length > maxNamed ? [`and ${problems.length - maxNamed} more`] : []
  return new Error(
    `Nothing was changed:\n  ${[...problems.slice(0, maxNamed), ...more].join('\n  ')}`,
  )
}
