import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { createBackgroundPass } from '../background-pass.ts'

/** Fetches in the background what content names, so that a stopped service leaves no hole. */
export type Prefetch = {
  /** Begins; once is enough. */
  start(): void
  /** Says that content has changed. */
  renew(): void
  close(): Promise<void>
}

/** How long changes are collected, and until what failed is tried again; milliseconds. */
const settleMs = 500
const repeatMs = 5 * 60_000
/** Files fetched ahead. */
const mostFiles = 2_000

/**
 * Makes the background work.
 * @param survey reads all content, so that what it names is known
 * @param ids the files that content names
 * @param fetch brings a file to the disk, if it is not there
 */
export function createPrefetch({
  survey,
  ids,
  fetch,
  log,
}: {
  survey: () => Promise<void>
  ids: () => ReadonlySet<string>
  fetch: (id: string) => Promise<void>
  log: Pick<Logger, 'debug'>
}): Prefetch {
  let started = false

  /** @returns whether all of it is there */
  async function fetchAll(signal: AbortSignal): Promise<boolean> {
    let whole = true
    await survey()
    for (const id of [...ids()].slice(0, mostFiles)) {
      if (signal.aborted) return true
      await fetch(id).catch((err: unknown) => {
        whole = false
        log.debug({ asset: id, err }, 'file not prefetched')
      })
    }
    return whole
  }

  const work = createBackgroundPass({
    async pass(signal) {
      const whole = await fetchAll(signal)
      await delay(settleMs, undefined, { signal, ref: false }).catch(() => {})
      return whole ? null : repeatMs
    },
    failed: (err) => log.debug({ err }, 'content not prefetched'),
  })

  return {
    start() {
      started = true
      work.request()
    },
    renew() {
      if (started) work.request()
    },
    close: work.close,
  }
}
