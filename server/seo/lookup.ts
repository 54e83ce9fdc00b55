import type { Logger } from 'pino'
import type { Row } from '../collections.ts'
import type { PageSeo } from '#shared/seo/head-tags.ts'
import { withoutOuterSlashes } from '#shared/text/slashes.ts'
import { shareImage } from '#shared/seo/share-image.ts'
import type { Content } from '../content/source.ts'

type Record = Row<'SEO'>

/**
 * A path as the SEO collection is asked for it (docs/contract.md, SEO and feeds): no host, no
 * query, no trailing slash, percent-encoding undone where that is possible.
 */
export function normalisePath(address: string): string {
  const path = address
    .trim()
    .replace(/^(?:[a-z][a-z\d+.-]*:)?\/\/[^/?#]*/i, '')
    .split(/[?#]/, 1)[0]!
  const bare = `/${withoutOuterSlashes(path)}`
  try {
    return decodeURI(bare)
  } catch {
    return bare
  }
}

/**
 * The paths to ask for in turn: the page, each page above it, the root
 * (docs/contract.md, SEO and feeds).
 */
export function lookupPaths(address: string): string[] {
  const path = normalisePath(address)
  const found = [path]
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
    found.push(path.slice(0, at))
  }
  if (path !== '/') found.push('/')
  return found
}

/**
 * Makes the SEO lookup over the rows in memory. A failed read is only logged and gives null
 * (docs/contract.md, SEO and feeds).
 */
export function createLookup({
  content,
  log,
}: {
  content: Pick<Content, 'rows' | 'picture'>
  log: Pick<Logger, 'warn'>
}): (address: string) => Promise<PageSeo | null> {
  let index: { rows: readonly Record[]; byPath: Map<string, Record> } | null = null

  async function indexed(): Promise<Map<string, Record>> {
    const rows = await content.rows('SEO')
    if (index?.rows !== rows) {
      const byPath = new Map<string, Record>()
      // Of two records for a path the first counts, as it would with a limit of 1.
      for (const row of rows) {
        const path = normalisePath(row.url)
        if (!byPath.has(path)) byPath.set(path, row)
      }
      index = { rows, byPath }
    }
    return index.byPath
  }

  return async (address) => {
    try {
      const byPath = await indexed()
      const candidates = lookupPaths(address)
      const path = candidates.find((each) => byPath.has(each))
      const record = path === undefined ? undefined : byPath.get(path)
      if (!record) return null
      const picture = await content.picture(record.og_image)
      return {
        exact: path === candidates[0],
        title: text(record.seo_title),
        description: text(record.seo_description),
        keywords: text(record.seo_keywords),
        ogTitle: text(record.og_title),
        ogDescription: text(record.og_description),
        image: picture && shareImage(picture),
      }
    } catch (err) {
      log.warn({ path: address, err }, 'SEO lookup failed')
      return null
    }
  }
}

const text = (value: string | null | undefined) => value?.trim() || null
