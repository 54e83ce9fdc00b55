import type { Logger } from 'pino'
import { withTimeout } from '../../concurrency/timeout.ts'
import { unavailable, isWithheld } from '../unavailable.ts'
import type { Outages } from './outages.ts'
import { createSnapshotFiles, hashOf, type Snapshot, type SnapshotFiles } from './snapshot-files.ts'
import type { Timing } from './timing.ts'

/** Last good answers by key, in memory and on disk. */
type Snapshots = {
  /**
   * The last good answer at once, or the first one after a wait.
   * @throws what the load threw, or that it takes too long, while there has never been an answer
   */
  read(key: string): Promise<unknown>
  /** Loads again now. @throws what the load throws */
  reload(key: string): Promise<void>
  close(): Promise<void>
}

/** Keys refreshed per tick. */
const keysPerTick = 5

/**
 * Keeps the last good answer of everything read from the content service: fresh for a while, then
 * served stale while revalidating, and for as long as the service is down, across restarts too. Equal
 * reads share one request.
 * @param options `dir` for the files; `origin` whose answers they are, others are not used;
 *   `accepted` called with every new answer; `changed` when a later one differs from what was shown
 */
export function createSnapshots({
  dir,
  origin,
  log,
  outages,
  load,
  accepted,
  changed,
  timing,
}: {
  dir: string
  origin: string
  log: Pick<Logger, 'info' | 'warn' | 'debug'>
  outages: Outages
  load: Load
  accepted: (key: string, value: unknown) => void
  changed: (key: string) => void
  timing: Timing
}): Snapshots {
  const files = createSnapshotFiles({ dir, origin, log })
  const table = createSnapshotTable(files)
  const refresh = createRefresh({ load, files, outages, log, accepted, changed, timing })

  /** The first answer, or a failure once its time limit is over. */
  async function first(key: string, entry: Entry): Promise<unknown> {
    const slow = entry.missed || entry.failures > 0 || outages.current() !== null
    const wait = slow ? timing.failingTimeout : timing.timeout
    const loading = refresh(key, entry)
    // A timed-out reader must not leave an unhandled rejection.
    loading.catch(() => {})
    const { value } = await withTimeout(loading, wait, () => {
      entry.missed = true
      return unavailable(504, { cause: new Error(`${key} didn’t arrive within ${wait} ms`) })
    })
    return value
  }

  /** Asks again for what is due. */
  function keepFresh(): void {
    for (const [key, entry] of table.due(keysPerTick)) refresh(key, entry).catch(() => {})
  }

  const timer = setInterval(keepFresh, timing.tick).unref()

  return {
    async read(key) {
      const entry = await table.entry(key)
      if (!entry.snapshot) return first(key, entry)
      if (entry.dueAt <= performance.now()) refresh(key, entry).catch(() => {})
      return entry.snapshot.value
    },
    async reload(key) {
      await refresh(key, await table.entry(key))
    },
    async close() {
      clearInterval(timer)
      await files.settled()
    },
  }
}

/** What a load brought: a value with the ETag to ask with next time, or that nothing is new. */
export type Fetched = { value: unknown; tag: string | null } | 'unchanged'

/** Asks the content service for a key. @param retryFor milliseconds for which it is asked again */
export type Load = (
  key: string,
  known: { value: unknown; tag: string | null } | null,
  retryFor: number,
) => Promise<Fetched>

/**
 * Makes the asking: once at a time for each key, with the failures of a key told of once, and its
 * next turn later after each.
 * @param options `accepted` called with every new answer; `changed` when a later answer differs from
 *   what was shown
 */
function createRefresh({
  load,
  files,
  outages,
  log,
  accepted,
  changed,
  timing,
}: {
  load: Load
  files: Pick<SnapshotFiles, 'write'>
  outages: Pick<Outages, 'failed' | 'succeeded'>
  log: Pick<Logger, 'info' | 'warn' | 'debug'>
  accepted: (key: string, value: unknown) => void
  changed: (key: string) => void
  timing: Pick<Timing, 'fresh' | 'timeout' | 'pause'>
}): (key: string, entry: Entry) => Promise<Snapshot> {
  function failed(key: string, entry: Entry, err: unknown): void {
    entry.failures += 1
    entry.dueAt = performance.now() + Math.min(timing.pause, 1_000 * 2 ** (entry.failures - 1))
    outages.failed(key, wordsFor(key, err as Error))
    log[entry.failures === 1 ? 'warn' : 'debug'](
      { content: key, stale: entry.snapshot !== null, failures: entry.failures, err },
      'content service failed',
    )
  }

  /** @param took milliseconds: what costs the service a lot is asked for half as often */
  async function accept(
    key: string,
    entry: Entry,
    fetched: Fetched,
    took: number,
  ): Promise<Snapshot> {
    const hash = fetched === 'unchanged' ? null : await hashOf(fetched.value)
    const before = entry.snapshot
    const recovered = entry.failures > 0
    const missed = recovered || entry.missed
    entry.failures = 0
    entry.missed = false
    entry.dueAt = performance.now() + Math.min(Math.max(timing.fresh, took * 10), timing.fresh * 2)
    outages.succeeded(key)
    if (recovered) log.info({ content: key }, 'content service is back')
    if (hash === null && before) return before
    if (fetched === 'unchanged' || hash === null)
      throw new Error(`“Not modified” for ${key}, which isn’t cached.`)
    if (before?.hash === hash) {
      before.tag = fetched.tag
      return before
    }
    const snapshot = { ...fetched, hash }
    entry.snapshot = snapshot
    files.write(key, snapshot)
    accepted(key, snapshot.value)
    // Pages may have been made from the earlier answer, or from its failure.
    if (before || missed) changed(key)
    return snapshot
  }

  return (key, entry) => {
    const began = performance.now()
    entry.loading ??= load(key, entry.snapshot, timing.timeout)
      .then((fetched) => accept(key, entry, fetched, performance.now() - began))
      .catch((err: unknown) => {
        failed(key, entry, err)
        throw err
      })
      .finally(() => (entry.loading = null))
    return entry.loading
  }
}

/** A no says nothing about the service, and all about what it was asked for. */
function wordsFor(key: string, err: Error): string {
  if ('explanation' in err) return String(err.explanation)
  if ('upstream' in err && err.upstream === 413) {
    return `${key} is more than the site can read: ${err.message}`
  }
  return isWithheld(err) ? `${key} is gone or hidden: ${err.message}` : err.message
}

/** What is known of a key; times on the clock of `performance.now`. */
type Entry = {
  snapshot: Snapshot | null
  /** From a failed load until the next good one. */
  failures: number
  /** Whether a reader went without an answer. */
  missed: boolean
  dueAt: number
  loading: Promise<Snapshot> | null
}

/** Everything that has been asked for, by key, and what is due of it. */
type SnapshotTable = {
  /** The entry of a key, with what the disk has of it. */
  entry(key: string): Promise<Entry>
  /**
   * What has to be asked for again, the longest waiting first. However long no one has read it: what
   * is withdrawn must not be shown to the first who comes after a quiet night.
   */
  due(max: number): (readonly [key: string, entry: Entry])[]
}

/** Creates an empty table backed by the snapshot files. */
function createSnapshotTable(files: Pick<SnapshotFiles, 'read'>): SnapshotTable {
  const entries = new Map<string, Promise<Entry>>()
  const settled = new Map<string, Entry>()

  return {
    entry(key) {
      let entry = entries.get(key)
      if (!entry) {
        entry = files.read(key).then((snapshot) => {
          const made = { snapshot, failures: 0, missed: false, dueAt: 0, loading: null }
          settled.set(key, made)
          return made
        })
        entries.set(key, entry)
      }
      return entry
    },
    due(max) {
      const now = performance.now()
      return [...settled]
        .filter(([, entry]) => !entry.loading && entry.dueAt <= now)
        .toSorted(([, a], [, b]) => a.dueAt - b.dueAt)
        .slice(0, max)
    },
  }
}
