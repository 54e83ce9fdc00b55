import { LRUCache } from 'lru-cache'

/** What is known of a file of a Directus; times on the clock of `performance.now`. */
export type FileState = {
  checkedAt: number
  fetchedAt: number
  /** What tells one version from another; null when the service says nothing of it. */
  stamp: string | null
  /** When the service said that there is none. */
  goneAt: number
}

/** How long a missing file stays missing without asking, in milliseconds. */
const missingMs = 30_000

const unknown: FileState = {
  checkedAt: -Infinity,
  fetchedAt: -Infinity,
  stamp: null,
  goneAt: -Infinity,
}

/** What is known of the files that were asked for last, by their stems. */
export type FileStates = ReturnType<typeof createFileStates>

/** Makes states of no file. */
export function createFileStates() {
  const states = new LRUCache<string, FileState>({ max: 10_000 })
  const of = (stem: string): FileState => states.get(stem) ?? unknown
  return {
    of,
    note: (stem: string, changes: Partial<FileState>) =>
      void states.set(stem, { ...of(stem), ...changes }),
    isMissing: (stem: string) => performance.now() - of(stem).goneAt < missingMs,
  }
}
