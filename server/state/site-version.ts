import type { Database } from '../db/open.ts'
import type { Transaction } from '../db/group-commit.ts'

/** Counts changes of everything public: content and features' own data. */
export type SiteVersion = {
  /** Grows with every change; cheap enough to read on every request. */
  version(): number
  /**
   * Records that something public changes. Call inside the transaction of the change. The server
   * notices within a second, even from another process.
   */
  changed(tx: Transaction): void
  /** Subscribes to changes. @returns unsubscribes */
  onChange(listener: () => void): () => void
}

/** Milliseconds between two checks for changes by other processes. */
const lookEvery = 1_000

/**
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
  const notify = () => listeners.forEach((listener) => listener())
  let known = read.get() as number
  let lookedAt = performance.now()
  content.onChange(notify)

  const look = () => {
    lookedAt = performance.now()
    // The process may be closing, and the database with it.
    if (!db.isOpen()) return
    const found = read.get() as number
    if (found === known) return
    known = found
    notify()
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
