import type { Database } from './db/open.ts'
import type { Transaction } from './db/group-commit.ts'

/** Counts the changes of everything that the public sees: content, and what features keep. */
export type SiteVersion = {
  /** Grows with every change; cheap, so that it can be asked for each request. */
  version(): number
  /**
   * Says that something public is about to change; belongs into the transaction of the change. The
   * server hears of it within a second, also from another process.
   */
  changed(tx: Transaction): void
  /** Calls back after every change, until the returned function is called. */
  onChange(listener: () => void): () => void
}

/** Milliseconds between two looks for changes of other processes. */
const lookEvery = 1_000

/**
 * Makes the counter.
 * @param content counts its own changes
 */
export function createSiteVersion({
  db,
  content,
}: {
  db: Database
  content: { version(): number; onChange(listener: () => void): () => void }
}): SiteVersion {
  const read = db.prepare('SELECT version FROM site_version').pluck()
  const count = db.prepareWrite('UPDATE site_version SET version = version + 1')
  const listeners = new Set<() => void>()
  const tell = () => listeners.forEach((listener) => listener())
  let known = read.get() as number
  let lookedAt = performance.now()
  content.onChange(tell)

  const look = () => {
    lookedAt = performance.now()
    // The process may be closing, and the database with it.
    if (!db.isOpen()) return
    const found = read.get() as number
    if (found === known) return
    known = found
    tell()
  }

  return {
    version() {
      if (performance.now() - lookedAt > lookEvery) look()
      return content.version() + known
    },
    changed(tx) {
      count.run(tx)
      setImmediate(look)
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
