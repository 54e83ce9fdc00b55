import { LRUCache } from 'lru-cache'
import { namedIn, type CachedResponse } from '../http/cached-response.ts'

/** Rendered pages by canonical address, bounded in bytes and entries, least recently used leaving first. */
export type PageCache = {
  /**
   * A variant of the page at an address, with whether it is up to date: the one that the client
   * holds already, by the ETags it names, else any at random.
   */
  find(address: string, held?: string): { response: CachedResponse; fresh: boolean } | null
  /** Whether the page of an address is there and up to date. */
  isFresh(address: string): boolean
  /** @param version of the content that the page was rendered from */
  set(address: string, variants: readonly CachedResponse[], version: number): void
  delete(address: string): void
  /** Leaves a page that could not be rendered again alone for a while. */
  postpone(address: string): void
  /** The addresses of some pages, most recently used first. */
  recent(count: number): string[]
}

type Entry = {
  variants: readonly CachedResponse[]
  version: number
  renderedAt: number
  /** On the clock of `performance.now`. */
  retryAt: number
}

/** How long a page that could not be rendered again is left alone, in milliseconds. */
const retryAfterMs = 5_000
/** What an entry costs beside its bodies. */
const overhead = 4096

/**
 * Makes an empty page cache.
 * @param options `version` gives the current content version; `clock` milliseconds; pages older
 *   than `maxAgeMs` are shown but reported stale; `maxBytes` bounds the sum of all bodies
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
    entry.version === version() && clock() - entry.renderedAt < maxAgeMs
  return {
    find(address, held) {
      const entry = entries.get(address)
      if (!entry) return null
      const { variants } = entry
      const response =
        (held === undefined ? undefined : variants.find((each) => namedIn(held, each))) ??
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
