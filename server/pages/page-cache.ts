import { LRUCache } from 'lru-cache'
import { namedIn, type CachedResponse } from '../http/replies/cached-response.ts'

/** An LRU cache of rendered pages by canonical address, bounded in bytes and entries. */
export type PageCache = {
  /**
   * A variant of the page at an address, and whether it is fresh. The client's own variant, if its
   * If-None-Match names one, else a random one.
   */
  find(address: string, ifNoneMatch?: string): { response: CachedResponse; fresh: boolean } | null
  /** Whether the page is cached and fresh. */
  isFresh(address: string): boolean
  /** @param version of the content it was rendered from */
  set(address: string, variants: readonly CachedResponse[], version: number): void
  delete(address: string): void
  /** After a failed render, serves the cached page as fresh for a while. */
  postpone(address: string): void
  /** The most recently used addresses. */
  recent(count: number): string[]
}

type Entry = {
  variants: readonly CachedResponse[]
  version: number
  renderedAt: number
  /** On the clock of `performance.now`. */
  retryAt: number
}

/** Milliseconds before a failed render is retried. */
const retryAfterMs = 5_000
/** Bytes per entry besides its bodies. */
const overhead = 4096

/**
 * Creates an empty page cache.
 * @param options `version` returns the current content version; pages older than `maxAgeMs` are
 *   served but reported stale; `maxBytes` limits the sum of all bodies
 */
export function createPageCache({
  version,
  clock,
  maxAgeMs = 10 * 60_000,
  maxBytes = 64 * 1024 * 1024,
  maxEntries = 2_000,
}: {
  version: () => number
  clock: () => number
  maxAgeMs?: number
  maxBytes?: number
  maxEntries?: number
}): PageCache {
  const entries = new LRUCache<string, Entry>({
    max: maxEntries,
    maxSize: maxBytes,
    sizeCalculation: ({ variants }) =>
      variants.reduce((sum, response) => sum + sizeOf(response), overhead),
  })
  const isFresh = (entry: Entry) =>
    entry.version === version() && Math.abs(clock() - entry.renderedAt) < maxAgeMs
  return {
    find(address, ifNoneMatch) {
      const entry = entries.get(address)
      if (!entry) return null
      const { variants } = entry
      const response =
        (ifNoneMatch === undefined
          ? undefined
          : variants.find((each) => namedIn(ifNoneMatch, each))) ??
        variants[variants.length === 1 ? 0 : Math.floor(Math.random() * variants.length)]!
      return { response, fresh: isFresh(entry) || performance.now() < entry.retryAt }
    },
    isFresh(address) {
      const entry = entries.peek(address)
      return entry !== undefined && isFresh(entry)
    },
    set(address, variants, madeFrom) {
      entries.set(address, { variants, version: madeFrom, renderedAt: clock(), retryAt: 0 })
    },
    delete: (address) => void entries.delete(address),
    postpone(address) {
      const entry = entries.peek(address)
      if (entry) entry.retryAt = performance.now() + retryAfterMs
    },
    recent: (count) => [...entries.keys()].slice(0, count),
  }
}

const sizeOf = ({ br, gzip, identity }: CachedResponse) =>
  br.bytes.length + gzip.bytes.length + identity.bytes.length
