import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** The encodings that a finished page is kept in. */
export type Encoding = 'br' | 'gzip' | 'identity'

/** A rendered page as bytes, each encoding with the complete headers of its reply. */
export type FinishedPage = {
  readonly bodies: Readonly<Record<Encoding, Body>>
}

type Body = {
  readonly etag: string
  readonly bytes: Buffer
  /** Flat name, value list for `writeHead`, of a 200. */
  readonly headers: readonly string[]
  /** The same for a 304. */
  readonly notModified: readonly string[]
}

/** Pages by address and variant, bounded in bytes, the least recently finished leaving first. */
export type FinishedPages = {
  /** Any variant of the page at an address, at random, with whether it is up to date. */
  find(url: string): { page: FinishedPage; fresh: boolean } | null
  keep(url: string, variant: number, page: FinishedPage, version: number, rule: KeepRule): void
  /** Forgets an address. */
  drop(url: string): void
  /** The address without the query names that do not count; as it is while that is not known. */
  plain(url: string, rule?: KeepRule): string
  /** The addresses that are kept, most recently used first. */
  addresses(): string[]
  readonly bytes: number
}

/** Which query names an address depends on, and how many variants it has. */
export type KeepRule = { query: readonly string[]; variants: number }

type Entry = {
  pages: (FinishedPage | undefined)[]
  version: number
  finishedAt: number
  usedAt: number
}

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

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

  const sizeOf = (page: FinishedPage) =>
    page.bodies.br.bytes.length + page.bodies.gzip.bytes.length + page.bodies.identity.bytes.length
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
    get bytes() {
      return bytes
    },
    find(url) {
      const key = keyOf(url)
      const entry = key === null ? undefined : entries.get(key)
      if (!entry) return null
      const { pages } = entry
      let page = pages[pages.length === 1 ? 0 : Math.floor(Math.random() * pages.length)]
      const whole = page !== undefined
      page ??= pages.find((kept) => kept !== undefined)
      if (!page) return null
      const now = clock()
      entry.usedAt = now
      return {
        page,
        fresh: whole && entry.version === version() && now - entry.finishedAt < maxAgeMs,
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

/**
 * Finishes a page: compressed once, with an ETag of its own for each encoding (RFC 9110, 8.8.3)
 * and a policy that names its inline scripts by their hashes.
 * @param headers complete headers but for the policy, length, encoding and ETag
 * @param policy makes the Content-Security-Policy from the hash sources
 */
export async function finishPage(
  html: Buffer,
  headers: Readonly<Record<string, string>>,
  policy: (hashes: readonly string[]) => string,
): Promise<FinishedPage> {
  const [br, gz] = await Promise.all([
    brotli(html, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 9,
        [constants.BROTLI_PARAM_SIZE_HINT]: html.length,
      },
    }),
    zip(html, { level: 8 }),
  ])
  const tag = createHash('sha256').update(html).digest('base64url').slice(0, 20)
  const base = {
    ...headers,
    'Content-Security-Policy': policy(inlineScriptHashes(html.toString())),
    Vary: 'Accept-Encoding',
  }
  const body = (bytes: Buffer, encoding: Encoding): Body => {
    const etag = `"${tag}${encoding === 'identity' ? '' : `-${encoding}`}"`
    const common = { ...base, ETag: etag }
    return {
      etag,
      bytes,
      headers: flat({
        ...common,
        'Content-Type': 'text/html; charset=utf-8',
        ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
        'Content-Length': String(bytes.length),
      }),
      notModified: flat(common),
    }
  }
  return {
    bodies: { br: body(br, 'br'), gzip: body(gz, 'gzip'), identity: body(html, 'identity') },
  }
}

const flat = (headers: Record<string, string>) => Object.entries(headers).flat()

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
