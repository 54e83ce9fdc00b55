import type { Row } from '../collections.ts'
import { paths } from '#shared/paths.ts'
import { withTimeout } from '../timeout.ts'
import type { Config } from '../config.ts'
import { readAgency } from '../content/agency.ts'
import type { Content } from '../content/source.ts'
import {
  fallbackTimeout,
  type Draft,
  type Drafts,
  type FileSet,
} from '../http/replies/cached-files.ts'
import { feedDocument, feedItem } from './feed-markup.ts'

/** Articles in the feed. */
const maxItems = 20
/** How long the feed waits for them, in milliseconds: no reply takes ten seconds. */
const feedTimeout = 6_000

/**
 * /news/rss.xml (docs/contract.md, SEO and feeds): RSS 2.0 with the newest articles in full.
 * @param config for the public origin, which is asked for when the feed is made
 */
export function feedFiles({
  content,
  clock,
  config,
}: {
  content: Content
  clock: () => number
  config: Pick<Config, 'siteUrl'>
}): FileSet {
  const path = paths.feed()
  let last: { body: string; modifiedAt: number | undefined } | null = null

  async function make() {
    const { body, newest } = await withTimeout(write(), feedTimeout)
    // An article that is edited changes the feed without being published anew.
    if (last?.body !== body) {
      last = { body, modifiedAt: last ? clock() : publishedAt(newest) }
    }
    return drafts(last.body, last.modifiedAt)
  }

  async function write() {
    const [{ brand }, rows] = await Promise.all([readAgency(content), content.rows('news')])
    const newest = rows.slice(0, maxItems)
    const items = await Promise.all(newest.map((row) => feedItem(content, config.siteUrl, row)))
    return { body: feedDocument(brand, config.siteUrl, items, publishedAt(newest)), newest }
  }

  function drafts(body: string, modifiedAt: number | undefined): Drafts {
    const draft: Draft = {
      type: 'application/rss+xml; charset=utf-8',
      body,
      cacheControl: 'public, max-age=0, s-maxage=60, stale-while-revalidate=600',
      shared: true,
      ...(modifiedAt !== undefined && { modifiedAt }),
    }
    return new Map([[path, draft]])
  }

  return {
    name: 'feed',
    paths: [path],
    version: () => String(content.version()),
    make,
    // A reader takes an empty channel for a quiet day and an error for the end of the feed.
    async fallback() {
      const { brand } = await readAgency(content, fallbackTimeout)
      return drafts(feedDocument(brand, config.siteUrl, [], undefined), undefined)
    },
  }
}

/** When the newest of some articles was published, in milliseconds of the epoch. */
const publishedAt = (rows: readonly Row<'news'>[]): number | undefined =>
  rows.reduce<number | undefined>(
    (newest, row) => Math.max(newest ?? -Infinity, Date.parse(row.published_at)),
    undefined,
  )
