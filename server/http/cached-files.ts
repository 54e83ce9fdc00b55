import type { Logger } from 'pino'
import { cachedResponse, type CachedResponse } from './cached-response.ts'
import { compress } from './encoding.ts'
import { waitAtMost } from '../timeout.ts'

/** A file before it is compressed and has its headers. */
export type Draft = {
  type: string
  body: string | Buffer
  /** Milliseconds of the epoch; left out where it is not known. */
  modifiedAt?: number
  cacheControl: string
  /** Other sites may show it, as feed readers do with pictures. */
  shared?: boolean
}

/** Files by their paths. */
export type Drafts = ReadonlyMap<string, Draft>

/** Files that are made together. */
export type FileSet = {
  name: string
  /** The paths of the set. */
  paths: readonly string[]
  /** Says of any other path whether it may be one of the set, where they are not known beforehand. */
  mayHave?(path: string): boolean
  /** Changes when the files have to be made again. */
  version(): string
  /** @throws when they cannot be made now; the last ones stay */
  make(): Promise<Drafts>
  /** What stands in while they have never been made; waits {@link fallbackTimeout} at most. */
  fallback(): Promise<Drafts> | Drafts
}

/** A set of files, kept as cached responses. */
export type CachedFiles = {
  /** A file; a promise of it when it is out of date. Never rejects. */
  find(path: string): CachedResponse | undefined | Promise<CachedResponse | undefined>
  /** Makes the set anew; callers at the same time share one run. @throws what `make` throws */
  refresh(): Promise<void>
  /** Makes the set anew in the background, if it was ever asked for. */
  renew(): void
}

/** How long a request waits for files that are being made, in milliseconds. */
const fileTimeout = 6_000
/** How long what stands in for them may wait for content; nothing takes more than 10 s in all. */
export const fallbackTimeout = 1_000
/** Milliseconds after a failure in which requests do not wait for another try. */
const retryPauseMs = 5_000
/** Bytes from which the best compression takes too long. */
const largeBytes = 512 * 1024

/**
 * Keeps a set of files as cached responses until its version changes. A set that cannot be made leaves
 * the last good one in place.
 * @param options `headers` of every reply
 */
export function cacheFiles(
  set: FileSet,
  { headers, log }: { headers: Readonly<Record<string, string>>; log: Pick<Logger, 'warn'> },
): CachedFiles {
  let kept: { version: string; files: ReadonlyMap<string, CachedResponse> } | null = null
  let running: Promise<void> | null = null
  let failedAt = -Infinity
  let fallbackFiles: {
    until: number
    files: Promise<ReadonlyMap<string, CachedResponse>>
  } | null = null

  async function run(): Promise<void> {
    // Taken before the first read: a change that comes meanwhile makes the files stale at once.
    const version = set.version()
    try {
      kept = { version, files: await respondAll(await set.make()) }
      failedAt = -Infinity
    } catch (err) {
      failedAt = performance.now()
      log.warn({ files: set.name, again: kept !== null, err }, 'site files not made')
      throw err
    }
  }

  const refresh = () => (running ??= run().finally(() => (running = null)))

  async function respondAll(
    drafts: Drafts,
    cacheControl?: string,
  ): Promise<ReadonlyMap<string, CachedResponse>> {
    const files = new Map<string, CachedResponse>()
    for (const [path, draft] of drafts) {
      files.set(path, await cacheDraft(cacheControl ? { ...draft, cacheControl } : draft, headers))
    }
    return files
  }

  async function whenMade(path: string): Promise<CachedResponse | undefined> {
    if (performance.now() - failedAt > retryPauseMs || running) {
      const made = refresh().catch(() => {})
      await waitAtMost(made, fileTimeout)
    }
    return kept ? kept.files.get(path) : (await fallback()).get(path)
  }

  /** What stands in, made once for all requests within a while. */
  function fallback(): Promise<ReadonlyMap<string, CachedResponse>> {
    if (!fallbackFiles || performance.now() > fallbackFiles.until) {
      const files = (async () => respondAll(await set.fallback(), 'no-cache'))()
      fallbackFiles = { until: performance.now() + retryPauseMs, files }
    }
    return fallbackFiles.files
  }

  return {
    find(path) {
      if (kept?.version === set.version()) return kept.files.get(path)
      return whenMade(path).catch(() => kept?.files.get(path))
    },
    refresh,
    renew() {
      if (kept && !running && kept.version !== set.version()) refresh().catch(() => {})
    },
  }
}

async function cacheDraft(
  { type, body, modifiedAt, cacheControl, shared }: Draft,
  headers: Readonly<Record<string, string>>,
): Promise<CachedResponse> {
  const bytes = Buffer.from(body as string)
  const complete = {
    ...headers,
    'Content-Type': type,
    'Cache-Control': cacheControl,
    ...(shared && { 'Cross-Origin-Resource-Policy': 'cross-origin' }),
    ...(modifiedAt !== undefined && { 'Last-Modified': new Date(modifiedAt).toUTCString() }),
  }
  const isText = /^text\/|[/+](?:xml|json)\b/.test(type)
  return cachedResponse(
    isText ? await compress(bytes, bytes.length > largeBytes ? 5 : 10) : { identity: bytes },
    complete,
  )
}
