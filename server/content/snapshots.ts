import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Outage } from './reader.ts'
import { createOutages } from './outages.ts'
import type { Pace } from './pace.ts'
import { createSnapshotFiles } from './snapshot-files.ts'
import { createRefresh, type Load } from './snapshot-refresh.ts'
import { createSnapshotTable, type Entry } from './snapshot-table.ts'
import { withTimeout } from '../timeout.ts'
import { unavailable } from './unavailable.ts'

/** Last good answers by key, in memory and on disk. */
export type Snapshots = {
  /**
   * The last good answer at once, or the first one after a wait.
   * @throws what the load threw, or that it takes too long, while there has never been an answer
   */
  read(key: string): Promise<unknown>
  /** Asks again now, whatever is kept. @throws what the load throws */
  reload(key: string): Promise<void>
  /** Since when and why answers may be old. */
  outage(): Outage | null
  close(): Promise<void>
}

/** Keys that are asked for again in one tick. */
const keysPerTick = 5

/**
 * Keeps the last good answer of everything that was read from a content service: fresh for a
 * while, then shown while it is asked again, and for as long as the service is down, also after a
 * restart. Equal reads share one request.
 * @param options `dir` for the files; `origin` whose answers they are, others are not used;
 *   `changed` called when a later answer differs from what was shown
 */
export function createSnapshots({
  dir,
  origin,
  log,
  load,
  changed,
  clock,
  pace,
}: {
  dir: string
  origin: string
  log: Pick<Logger, 'info' | 'warn' | 'debug'>
  load: Load
  changed: () => void
  clock: () => number
  pace: Pace
}): Snapshots {
  const files = createSnapshotFiles({ dir, origin, log })
  const outages = createOutages({ file: join(dir, 'failing.json'), origin, clock, log })
  const table = createSnapshotTable(files)
  const refresh = createRefresh({ load, files, outages, log, changed, pace })

  /** The first answer, or a failure once its time limit is over. */
  async function first(key: string, entry: Entry): Promise<unknown> {
    const slow = entry.missed || entry.failures > 0 || outages.current() !== null
    const wait = slow ? pace.failingTimeout : pace.timeout
    const loading = refresh(key, entry)
    // A reader that has timed out must not leave an unhandled rejection behind.
    loading.catch(() => {})
    const { value } = await withTimeout(loading, wait, () => {
      entry.missed = true
      return unavailable(504, { cause: new Error(`${key} was not there after ${wait} ms`) })
    })
    return value
  }

  /** Asks again for what is used and due; forgets what is not used. */
  function keepFresh(): void {
    for (const [key, entry] of table.due(keysPerTick)) refresh(key, entry).catch(() => {})
    for (const key of table.shrink()) outages.forget(key)
  }

  const timer = setInterval(keepFresh, pace.tick).unref()

  return {
    async read(key) {
      const entry = await table.entry(key)
      const now = performance.now()
      entry.usedAt = now
      if (!entry.held) return first(key, entry)
      if (entry.dueAt <= now) refresh(key, entry).catch(() => {})
      return entry.held.value
    },
    async reload(key) {
      await refresh(key, await table.entry(key))
    },
    outage: outages.current,
    async close() {
      clearInterval(timer)
      await files.settled()
    },
  }
}
