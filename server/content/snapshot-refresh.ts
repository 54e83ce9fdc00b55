import type { Logger } from 'pino'
import type { Outages } from './outages.ts'
import type { Pace } from './pace.ts'
import { hashOf, type Held, type SnapshotFiles } from './snapshot-files.ts'
import type { Entry } from './snapshot-table.ts'

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
 * @param options `changed` called when a later answer differs from what was shown
 */
export function createRefresh({
  load,
  files,
  outages,
  log,
  changed,
  pace,
}: {
  load: Load
  files: Pick<SnapshotFiles, 'write'>
  outages: Pick<Outages, 'failed' | 'succeeded'>
  log: Pick<Logger, 'info' | 'warn' | 'debug'>
  changed: () => void
  pace: Pick<Pace, 'fresh' | 'timeout' | 'pause'>
}): (key: string, entry: Entry) => Promise<Held> {
  function failed(key: string, entry: Entry, err: unknown): void {
    entry.failures += 1
    entry.dueAt = performance.now() + Math.min(pace.pause, 1_000 * 2 ** (entry.failures - 1))
    outages.failed(key, (err as Error).message)
    log[entry.failures === 1 ? 'warn' : 'debug'](
      { content: key, stale: entry.held !== null, failures: entry.failures, err },
      'content service failed',
    )
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
    // Pages may have been made from the earlier answer, or from its failure.
    if (before || missed) changed()
    return held
  }

  return (key, entry) => {
    entry.loading ??= load(key, entry.held, pace.timeout)
      .then((fetched) => accept(key, entry, fetched))
      .catch((err: unknown) => {
        failed(key, entry, err)
        throw err
      })
      .finally(() => (entry.loading = null))
    return entry.loading
  }
}
