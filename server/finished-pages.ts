import { createHash } from 'node:crypto'
import { namedIn, type Finished } from './finished.ts'

/** Pages by address and variant, bounded in bytes, the least recently finished leaving first. */
export type FinishedPages = {
  /**
   * A variant of the page at an address, with whether it is up to date: the one that the client
   * holds already, by the ETags it names, else any at random.
   */
  find(url: string, held?: string): { page: Finished; fresh: boolean } | null
  keep(url: string, variant: number, page: Finished, version: number, rule: KeepRule): void
  /** Forgets an address. */
  drop(url: string): void
  /** The address without the query names that do not count; as it is while that is not known. */
  plain(url: string, rule?: KeepRule): string
  /** The addresses that are kept, most recently used first. */
  addresses(): string[]
}

/** Which query names an address depends on, and how many variants it has. */
export type KeepRule = { query: readonly string[]; variants: number }

type Entry = {
  pages: (Finished | undefined)[]
  version: number
  finishedAt: number
  usedAt: number
}

/**
 * Makes the store of finished pages.
 * @param options `version` gives the current content version; `clock` milliseconds; pages older
 *   than `maxAgeMs` are shown but reported stale; `maxBytes` bounds the sum of all bodies
 */
export function createFinishedPages({
  version,
  clock,
  maxAgeMs = 10 * 60_000,
  maxBytes = 64 * 1024 * 1024,
}: {
  version: () => number
  clock: () => number
  maxAgeMs?: number
  maxBytes?: number
}): FinishedPages {
  const entries = new Map<string, Entry>()
  /** The query names that count, by path; learnt from the first render. */
  const rules = new Map<string, KeepRule>()
  let bytes = 0

  const remove = (key: string) => {
    for (const page of entries.get(key)?.pages ?? []) if (page) bytes -= sizeOf(page)
    entries.delete(key)
  }
  const keyOf = (url: string): string | null => {
    const at = url.indexOf('?')
    if (at < 0) return url
    const path = url.slice(0, at)
    const rule = rules.get(path)
    return rule ? keyFor(path, url.slice(at + 1), rule) : null
  }

  return {
    find(url, held) {
      const key = keyOf(url)
      const entry = key === null ? undefined : entries.get(key)
      if (!entry) return null
      const { pages } = entry
      const any =
        (held === undefined ? undefined : pages.find((page) => page && namedIn(held, page))) ??
        pages[pages.length === 1 ? 0 : Math.floor(Math.random() * pages.length)]
      const page = any ?? pages.find((kept) => kept !== undefined)
      if (!page) return null
      const now = clock()
      entry.usedAt = now
      return {
        page,
        fresh:
          any !== undefined && entry.version === version() && now - entry.finishedAt < maxAgeMs,
      }
    },
    keep(url, variant, page, madeFor, rule) {
      rules.set(pathOf(url), rule)
      const key = keyOf(url) ?? url
      let entry = entries.get(key)
      if (!entry || entry.pages.length !== rule.variants) {
        remove(key)
        entry = {
          pages: Array.from({ length: rule.variants }),
          version: madeFor,
          finishedAt: clock(),
          usedAt: clock(),
        }
        entries.set(key, entry)
      }
      const old = entry.pages[variant]
      if (old) bytes -= sizeOf(old)
      entry.pages[variant] = page
      entry.version = madeFor
      entry.finishedAt = clock()
      bytes += sizeOf(page)
      for (const [oldest] of entries) {
        if (bytes <= maxBytes) break
        if (oldest !== key) remove(oldest)
      }
    },
    drop(url) {
      const key = keyOf(url)
      if (key !== null) remove(key)
    },
    plain(url, rule) {
      if (rule) rules.set(pathOf(url), rule)
      return keyOf(url) ?? url
    },
    addresses: () =>
      [...entries].toSorted(([, a], [, b]) => b.usedAt - a.usedAt).map(([key]) => key),
  }
}

const sizeOf = ({ br, gzip, identity }: Finished) =>
  br.bytes.length + gzip.bytes.length + identity.bytes.length

const pathOf = (url: string) => url.split('?', 1)[0]!

/** The address with only the query names that count, in the rule's order. */
function keyFor(path: string, query: string, { query: names }: KeepRule): string {
  if (names.length === 0) return path
  const given = new URLSearchParams(query)
  const kept = new URLSearchParams()
  for (const name of names) {
    const value = given.get(name)
    if (value !== null) kept.set(name, value)
  }
  const text = kept.toString()
  return text ? `${path}?${text}` : path
}

/** `'sha256-…'` sources of the inline scripts that run; data blocks (JSON) are not scripts. */
export function inlineScriptHashes(html: string): string[] {
  const sources = new Set<string>()
  for (const [, attributes = '', body = ''] of html.matchAll(
    /<script\b([^>]*)>([\s\S]*?)<\/script>/g,
  )) {
    if (/\ssrc=/.test(attributes) || /\stype="application\//.test(attributes)) continue
    sources.add(`'sha256-${createHash('sha256').update(body).digest('base64')}'`)
  }
  return [...sources]
}
