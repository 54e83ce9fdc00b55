import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Outage } from './reader.ts'
import { createOutages } from './outages.ts'
import { createSnapshotFiles, hashOf, type Held } from './snapshot-files.ts'
import { unavailable } from './unavailable.ts'

/** How often and how long the content service is asked; milliseconds. */
export type Pace = {
  /** How long an answer counts as fresh. */
  fresh: number
  /** The most that a reader without a snapshot waits. */
  patience: number
  /** The same while the service is known to be down or slow. */
  impatience: number
  /** The longest pause between tries while it is down. */
  pause: number
  /** How often the clock looks for what is due. */
  tick: number
  /** How long fields that were missing count as missing. */
  relearn: number
}

/** The pace of a site. */
export const usualPace: Pace = {
  fresh: 20_000,
  patience: 6_000,
  impatience: 1_000,
  pause: 20_000,
  tick: 1_000,
  relearn: 60_000,
}

/** What a load brought: a value with the ETag to ask with next time, or that nothing is new. */
export type Fetched = { value: unknown; tag: string | null } | 'unchanged'

/** Asks the content service for a key. @param patience milliseconds for which it is asked again */
export type Load = (
  key: string,
  known: { value: unknown; tag: string | null } | null,
  patience: number,
) => Promise<Fetched>

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

type Entry = {
  held: Held | null
  /** From a failed load until the next good one. */
  failures: number
  /** Whether a reader went without an answer. */
  missed: boolean
  /** On the clock of `performance.now`. */
  dueAt: number
  usedAt: number
  loading: Promise<Held> | null
}

/** Keys that nobody read for so long are no longer kept fresh. */
const idleAfter = 10 * 60_000
/** Keys that are asked for again in one tick. */
const perTick = 5
/** Keys in memory. */
const mostKeys = 500

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
  const entries = new Map<string, Promise<Entry>>()
  const settled = new Map<string, Entry>()
  const files = createSnapshotFiles({ dir, origin, log })
  const outages = createOutages({ file: join(dir, 'failing.json'), origin, clock, log })

  /** The entry of a key, with what the disk has of it. */
  function entryOf(key: string): Promise<Entry> {
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
  }

  /** Asks again, once at a time. */
  function refresh(key: string, entry: Entry): Promise<Held> {
    entry.loading ??= load(key, entry.held, pace.patience)
      .then((fetched) => accept(key, entry, fetched))
      .catch((err: unknown) => {
        entry.failures += 1
        entry.dueAt = performance.now() + Math.min(pace.pause, 1_000 * 2 ** (entry.failures - 1))
        outages.failed(key, (err as Error).message)
        log[entry.failures === 1 ? 'warn' : 'debug'](
          { content: key, stale: entry.held !== null, failures: entry.failures, err },
          'content service failed',
        )
        throw err
      })
      .finally(() => (entry.loading = null))
    return entry.loading
  }

  function accept(key: string, entry: Entry, fetched: Fetched): Held {
    const before = entry.held
    const recovered = entry.failures > 0
    const missed = recovered || entry.missed
    entry.failures = 0
    entry.missed = false
    entry.dueAt = performance.now() + pace.fresh
    outages.succeeded(key)
    if (recovered) log.info({ content: key }, 'content service answers again')
    if (fetched === 'unchanged' && before) return before
    if (fetched === 'unchanged')
      throw new Error(`Nothing is known of ${key} that could be unchanged.`)
    const hash = hashOf(fetched.value)
    if (before?.hash === hash) {
      before.tag = fetched.tag
      return before
    }
    const held = { ...fetched, hash }
    entry.held = held
    files.write(key, held)
    // Somebody saw the answer before, or a failure in its place.
    if (before || missed) changed()
    return held
  }

  /** The first answer, for a reader who does not wait for ever. */
  async function first(key: string, entry: Entry): Promise<unknown> {
    const slow = entry.missed || entry.failures > 0 || outages.current() !== null
    const wait = slow ? pace.impatience : pace.patience
    const loading = refresh(key, entry)
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        entry.missed = true
        reject(unavailable(504, { cause: new Error(`${key} was not there after ${wait} ms`) }))
      }, wait)
    })
    // Whoever has left must not leave an unhandled rejection behind.
    loading.catch(() => {})
    try {
      return (await Promise.race([loading, late])).value
    } finally {
      clearTimeout(timer)
    }
  }

  /** Asks again for what is used and due, the longest waiting first; forgets what is not used. */
  function keepFresh(): void {
    const now = performance.now()
    const due = [...settled]
      .filter(([, entry]) => !entry.loading && entry.dueAt <= now)
      // What failed is asked for until it answers, or its outage would never be over.
      .filter(([, entry]) => now - entry.usedAt < idleAfter || entry.failures > 0)
      .toSorted(([, a], [, b]) => a.dueAt - b.dueAt)
    for (const [key, entry] of due.slice(0, perTick)) refresh(key, entry).catch(() => {})
    if (settled.size <= mostKeys) return
    const oldest = [...settled].toSorted(([, a], [, b]) => a.usedAt - b.usedAt)
    for (const [key] of oldest.slice(0, settled.size - mostKeys)) {
      settled.delete(key)
      entries.delete(key)
      outages.forget(key)
    }
  }

  const timer = setInterval(keepFresh, pace.tick).unref()

  return {
    async read(key) {
      const entry = await entryOf(key)
      const now = performance.now()
      entry.usedAt = now
      if (!entry.held) return first(key, entry)
      if (entry.dueAt <= now) refresh(key, entry).catch(() => {})
      return entry.held.value
    },
    async reload(key) {
      await refresh(key, await entryOf(key))
    },
    outage: outages.current,
    async close() {
      clearInterval(timer)
      await files.settled()
    },
  }
}
