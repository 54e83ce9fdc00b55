import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'

/** Fetches in the background what content names, so that a stopped service leaves no hole. */
export type Prefetch = {
  /** Begins; once is enough. */
  start(): void
  /** Says that content has changed. */
  renew(): void
  close(): Promise<void>
}

/** How long changes are collected, and until what failed is tried again; milliseconds. */
const settle = 500
const again = 5 * 60_000
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
  const closing = new AbortController()
  const { signal } = closing
  let started = false
  let wanted = false
  let running: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined

  async function pass(): Promise<boolean> {
    let whole = true
    await survey()
    for (const id of [...ids()].slice(0, mostFiles)) {
      if (signal.aborted) return true
      await fetch(id).catch((err: unknown) => {
        whole = false
        log.debug({ asset: id, err }, 'file cannot be fetched ahead')
      })
    }
    return whole
  }

  async function run(): Promise<void> {
    while (wanted && !signal.aborted) {
      wanted = false
      clearTimeout(timer)
      const whole = await pass()
      if (!whole) timer = setTimeout(renew, again).unref()
      await delay(settle, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  function renew(): void {
    if (!started || signal.aborted) return
    wanted = true
    running ??= run()
      .catch((err: unknown) => log.debug({ err }, 'content cannot be fetched ahead'))
      .finally(() => (running = null))
  }

  return {
    start() {
      started = true
      renew()
    },
    renew,
    async close() {
      closing.abort()
      clearTimeout(timer)
      await running
    },
  }
}
