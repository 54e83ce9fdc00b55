import type { Held, SnapshotFiles } from './snapshot-files.ts'

/** What is known of a key; times on the clock of `performance.now`. */
export type Entry = {
  held: Held | null
  /** From a failed load until the next good one. */
  failures: number
  /** Whether a reader went without an answer. */
  missed: boolean
  dueAt: number
  usedAt: number
  loading: Promise<Held> | null
}

/** Everything that has been asked for, by key, and what is due of it. */
export type SnapshotTable = {
  /** The entry of a key, with what the disk has of it. */
  entry(key: string): Promise<Entry>
  /** What is used and has to be asked for again, the longest waiting first. */
  due(most: number): (readonly [key: string, entry: Entry])[]
  /** Forgets what was not used for longest, when there is too much. @returns the keys */
  shrink(): string[]
}

/** Keys that were not read for so long are no longer kept fresh. */
const idleAfter = 10 * 60_000
/** Keys in memory. */
const mostKeys = 500

/** Makes an empty table over the files of snapshots. */
export function createSnapshotTable(files: Pick<SnapshotFiles, 'read'>): SnapshotTable {
  const entries = new Map<string, Promise<Entry>>()
  const settled = new Map<string, Entry>()

  return {
    entry(key) {
      let entry = entries.get(key)
      if (!entry) {
        entry = files.read(key).then((held) => {
          const made = { held, failures: 0, missed: false, dueAt: 0, usedAt: 0, loading: null }
          settled.set(key, made)
          return made
        })
        entries.set(key, entry)
      }
      return entry
    },
    due(most) {
      const now = performance.now()
      return (
        [...settled]
          .filter(([, entry]) => !entry.loading && entry.dueAt <= now)
          // What failed is asked for until it answers, or its outage would never be over.
          .filter(([, entry]) => now - entry.usedAt < idleAfter || entry.failures > 0)
          .toSorted(([, a], [, b]) => a.dueAt - b.dueAt)
          .slice(0, most)
      )
    },
    shrink() {
      if (settled.size <= mostKeys) return []
      const keys = [...settled]
        .toSorted(([, a], [, b]) => a.usedAt - b.usedAt)
        .slice(0, settled.size - mostKeys)
        .map(([key]) => key)
      for (const key of keys) {
        settled.delete(key)
        entries.delete(key)
      }
      return keys
    },
  }
}
