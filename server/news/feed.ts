import type { Row } from '../collections.ts'
import { paths } from '#shared/paths.ts'
import { withTimeout } from '../concurrency/timeout.ts'
import type { Config } from '../config.ts'
import { readAgency } from '../content/agency.ts'
import type { Content } from '../content/source.ts'
import {
  fallbackTimeout,
  type Draft,
  type Drafts,
  type FileSet,
} from '../http/replies/cached-files.ts'
import { assetUrl } from '#shared/images.ts'
import { absoluteHtml, cdata, xml, type Markup } from '../text/markup.ts'

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
    // An article that is edited changes the feed without being published again.
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

/** An article as the feed has it, with its text and picture. @param siteUrl the public origin */
async function feedItem(content: Content, siteUrl: string, row: Row<'news'>): Promise<Markup> {
  const url = siteUrl + paths.article(row.slug)
  const [text, pictured] = await Promise.all([
    content.text('news', row.id),
    picture(content, siteUrl, row),
  ])
  const categories = [...new Set([row.category, ...(row.tags ?? [])])].filter(Boolean)
  return xml`<item>
<title>${row.title}</title>
<link>${url}</link>
<guid isPermaLink="false">pitlane-news-${row.id}</guid>
<pubDate>${new Date(row.published_at).toUTCString()}</pubDate>
${row.author ? xml`<dc:creator>${row.author}</dc:creator>\n` : null}${categories.map(
    (category) => xml`<category>${category ?? ''}</category>\n`,
  )}${row.excerpt ? xml`<description>${row.excerpt}</description>\n` : null}${
    text ? xml`<content:encoded>${cdata(absoluteHtml(text, url))}</content:encoded>\n` : null
  }${pictured}</item>
`
}

/** The article's picture: as a file where its length is known without fetching it, and for display. */
async function picture(
  content: Content,
  siteUrl: string,
  row: Row<'news'>,
): Promise<Markup | null> {
  const known = await content.picture(row.image).catch(() => null)
  if (!known || known.id.includes(':')) return null
  const { id, alt, version } = known
  const size = { width: 1200, height: 675 } as const
  const shown = siteUrl + assetUrl(id, { ...size, fit: 'cover', format: 'jpg', version })
  const file = version ? await content.asset(id) : null
  return xml`${
    file?.size
      ? xml`<enclosure url="${siteUrl}${assetUrl(id, { version })}" length="${file.size}" type="${file.type}"/>\n`
      : null
  }<media:content url="${shown}" type="image/jpeg" medium="image" width="${size.width}" height="${size.height}">${
    alt ? xml`<media:description type="plain">${alt}</media:description>` : null
  }</media:content>
`
}

/**
 * The whole feed.
 * @param newest when the newest article was published, in milliseconds of the epoch
 */
function feedDocument(
  brand: string,
  siteUrl: string,
  items: readonly Markup[],
  newest: number | undefined,
): string {
  const title = `${brand} news`
  const { markup } =
    xml`<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/">
<channel>
<title>${title}</title>
<link>${siteUrl + paths.news()}</link>
<atom:link href="${siteUrl + paths.feed()}" rel="self" type="application/rss+xml"/>
<description>Race reports, guides and notes from behind the scenes by ${brand}.</description>
<language>en</language>
${newest === undefined ? null : xml`<lastBuildDate>${new Date(newest).toUTCString()}</lastBuildDate>\n`}<ttl>60</ttl>
<image>
<url>${siteUrl}/icon-192.png</url>
<title>${title}</title>
<link>${siteUrl + paths.news()}</link>
</image>
${items}</channel>
</rss>
`
  return `<?xml version="1.0" encoding="utf-8"?>\n${markup}`
}
