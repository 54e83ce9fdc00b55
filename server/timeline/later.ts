import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import type { Commit } from '../db/group-commit.ts'
import type { NewEntry, Timeline } from './timeline.ts'

const entrySchema = z.object({
  thing: z.string(),
  thingId: z.string(),
  actor: z.string(),
  act: z.string(),
  note: z.nullable(z.string()),
  at: z.int(),
})

const directoryIn = (dataDir: string) => join(dataDir, 'unrecorded-acts')

/**
 * Keeps what was done without a database, such as putting a backup in place of it, until the next
 * process opens one.
 */
export function recordLater(
  dataDir: string,
  { note = null, ...entry }: Pick<NewEntry, 'thing' | 'thingId' | 'actor' | 'act' | 'note'>,
): void {
  mkdirSync(directoryIn(dataDir), { recursive: true, mode: 0o700 })
  const kept = { ...entry, note, at: Date.now() } satisfies z.infer<typeof entrySchema>
  const file = join(directoryIn(dataDir), `${randomUUID()}.json`)
  writeFileSync(file, JSON.stringify(kept), { mode: 0o600, flush: true })
}

/** Writes what {@link recordLater} kept into the timeline; an entry that two processes read is there once. */
export async function recordKept(
  dataDir: string,
  { commit, timeline }: { commit: Commit; timeline: Pick<Timeline, 'of' | 'record'> },
): Promise<void> {
  const files = filesIn(directoryIn(dataDir))
  if (files.length === 0) return
  const entries = files.flatMap((file) => readEntry(file) ?? [])
  await commit((tx) => {
    for (const entry of entries) {
      const isThere = timeline
        .of(entry.thing, entry.thingId)
        .some(({ at, actor, act }) => at === entry.at && actor === entry.actor && act === entry.act)
      if (!isThere) timeline.record(tx, entry)
    }
  })
  for (const file of files) rmSync(file, { force: true })
}

function filesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter((name) => name.endsWith('.json'))
      .map((name) => join(directory, name))
  } catch {
    return []
  }
}

/** An entry; null for a file that was cut off or is gone meanwhile. */
function readEntry(file: string): z.infer<typeof entrySchema> | null {
  try {
    return entrySchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}
