import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { createBackgroundPass } from '../../concurrency/background-pass.ts'
import { collections, hasLongText } from '../../collections.ts'
import type { LongTexts } from './clean-rows.ts'
import type { PublicationFilter } from './publication-filter.ts'
import type { References } from './referenced-files.ts'

/** Reads all visible content to find every file and external picture it names. */
type ContentScan = {
  /** Resolves once everything readable has been read; runs once per version. */
  complete(): Promise<void>
  /** Content has changed. */
  renew(): void
}

/** Texts read in parallel. */
const textsAtOnce = 4

/**
 * Creates a scan that hasn't started.
 * @param newOrigins called when the set of external picture origins has changed
 */
export function createContentScan({
  publication,
  texts,
  references,
  newOrigins,
}: {
  publication: Pick<PublicationFilter, 'of'>
  texts: Pick<LongTexts, 'note'>
  references: Pick<References, 'origins'>
  newOrigins: () => void
}): ContentScan {
  let scanned: Promise<void> | null = null
  /** The origins reported last. */
  let sent = ''

  async function read(): Promise<void> {
    for (const collection of collections) {
      const rows = await publication.of(collection).then(
        ({ shown }) => shown,
        () => [],
      )
      if (!hasLongText(collection)) continue
      const note = ({ stored }: (typeof rows)[number]) =>
        texts.note(collection, stored).catch(() => {})
      for (let at = 0; at < rows.length; at += textsAtOnce) {
        await Promise.all(rows.slice(at, at + textsAtOnce).map(note))
      }
    }
    // Pages list them in their policy, including pages rendered before everything was read.
    const origins = references.origins().join(' ')
    if (origins === sent) return
    sent = origins
    newOrigins()
  }

  return {
    complete: () => (scanned ??= read()),
    renew() {
      scanned = null
    },
  }
}

/** Fetches the files that content names in the background, so pages survive an outage. */
type Prefetch = {
  /** Idempotent. */
  start(): void
  /** Content has changed. */
  renew(): void
  close(): Promise<void>
}

/** Milliseconds for which changes are collected, and until failures are retried. */
const settleMs = 500
const repeatMs = 5 * 60_000
/** Files to prefetch. */
const maxFiles = 2_000

/**
 * Creates the background work.
 * @param scan reads all content, to find the files it names
 * @param ids the files that content names
 * @param fetch downloads a file unless it is cached
 */
export function createPrefetch({
  scan,
  ids,
  fetch,
  log,
}: {
  scan: () => Promise<void>
  ids: () => ReadonlySet<string>
  fetch: (id: string) => Promise<void>
  log: Pick<Logger, 'debug'>
}): Prefetch {
  let started = false

  /** @returns whether all of it is there */
  async function fetchAll(signal: AbortSignal): Promise<boolean> {
    let whole = true
    await scan()
    for (const id of [...ids()].slice(0, maxFiles)) {
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
