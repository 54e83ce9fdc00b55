import type { Logger } from 'pino'
import { waitAtMost } from '../../concurrency/timeout.ts'
import { cachedResponse, type CachedResponse } from './cached-response.ts'
import { compress } from './encoding.ts'

/** A file before compression, without headers. */
export type Draft = {
  type: string
  body: string | Buffer
  /** Milliseconds since the epoch, if known. */
  modifiedAt?: number
  cacheControl: string
  /** Other sites may embed it, as feed readers do with pictures. */
  shared?: boolean
}

/** Files by their paths. */
export type Drafts = ReadonlyMap<string, Draft>

/** Files that are generated together. */
export type FileSet = {
  name: string
  /** The paths of the set. */
  paths: readonly string[]
  /** Whether any other path may be in the set, if not all are known beforehand. */
  mayHave?(path: string): boolean
  /** Changes when the files have to be generated again. */
  version(): string
  /** @throws when they can't be generated now; the last ones are kept */
  make(): Promise<Drafts>
  /** Served until they have been generated once; takes at most {@link fallbackTimeout}. */
  fallback(): Promise<Drafts> | Drafts
}

/** A set of files as cached responses. */
type CachedFiles = {
  /** A file, or a promise of it when outdated. Never rejects. */
  find(path: string): CachedResponse | undefined | Promise<CachedResponse | undefined>
  /** Regenerates the set; concurrent callers share one run. @throws what `make` throws */
  refresh(): Promise<void>
  /** Regenerates the set in the background, if it was ever requested. */
  renew(): void
}

/** Milliseconds that a request waits for files being generated. */
const fileTimeout = 6_000
/** Milliseconds that a fallback may wait for content. */
export const fallbackTimeout = 1_000
/** Milliseconds after a failure during which requests don't wait for a retry. */
const retryPauseMs = 5_000
/** Bytes from which best compression takes too long. */
const largeBytes = 512 * 1024

/**
 * Keeps a set of files as cached responses until its version changes. If it can't be regenerated, the
 * last good set stays.
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
    // Taken before the first read, so a change in between makes the files stale at once.
    const version = set.version()
    try {
      kept = { version, files: await respondAll(await set.make()) }
      failedAt = -Infinity
    } catch (err) {
      failedAt = performance.now()
      log.warn({ files: set.name, again: kept !== null, err }, 'site files not generated')
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

  /** The fallback, shared by all requests for a while. */
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

/** Files besides pages, such as feeds and sitemaps. */
export type SiteFiles = {
  /** The file at an address, or a promise if it has to be generated first. Never rejects. */
  find(url: string): CachedResponse | undefined | Promise<CachedResponse | undefined>
  /** Regenerates requested files after a change of content. */
  renew(): void
  /** Regenerates a set by name. @throws what its `make` throws */
  refresh(name: string): Promise<void>
}

/**
 * @param options `headers` of every reply
 */
export function createSiteFiles(
  sets: readonly FileSet[],
  { headers, log }: { headers: Readonly<Record<string, string>>; log: Pick<Logger, 'warn'> },
): SiteFiles {
  const all = sets.map((set) => ({ set, cached: cacheFiles(set, { headers, log }) }))
  const byPath = new Map(
    all.flatMap(({ set, cached }) => set.paths.map((path) => [path, cached] as const)),
  )
  const open = all.filter(({ set }) => set.mayHave)
  return {
    find(url) {
      const query = url.indexOf('?')
      const path = query < 0 ? url : url.slice(0, query)
      const known = byPath.get(path) ?? open.find(({ set }) => set.mayHave!(path))?.cached
      return known?.find(path)
    },
    renew() {
      for (const { cached } of all) cached.renew()
    },
    async refresh(name) {
      const found = all.find(({ set }) => set.name === name)
      if (!found) throw new Error(`Unknown file set: ${name}.`)
      await found.cached.refresh()
    },
  }
}
