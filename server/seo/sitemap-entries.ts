import { assetUrl } from '#shared/images.ts'
import { paths, servicePath } from '#shared/paths.ts'
import type { Content } from '../content/source.ts'
import { timeOf } from '../content/rows.ts'
import { isWithheld } from '../content/unavailable.ts'
import type { SitemapEntry } from '../feature.ts'
import { xml, type Markup } from '../markup.ts'

/** Pages that there always are. */
const fixed = [
  paths.home(),
  paths.portfolio(),
  paths.news(),
  paths.about(),
  paths.privacyPolicy(),
  paths.termsOfService(),
  paths.cookiePolicy(),
  paths.accessibility(),
]

const entry = (path: string, modifiedAt: number | null = null, image: string | null = null) => ({
  path,
  modifiedAt,
  image,
})

/**
 * What there is to say while the content service cannot be read.
 * @param services the pages of services that there always are
 */
export const fixedEntries = (services: readonly string[]): SitemapEntry[] =>
  [...fixed, ...services].map((path) => entry(path))

/**
 * Every public page with one canonical address. Times are true or absent: an article changes when
 * it is published or edited, a list when its newest row is.
 * @param servicePages the pages of services that there always are
 */
export async function readEntries(
  content: Pick<Content, 'rows'>,
  servicePages: readonly string[],
): Promise<SitemapEntry[]> {
  const [services, news, portfolio] = await Promise.all([
    content.rows('services').catch(noneIfWithheld),
    content.rows('news').catch(noneIfWithheld),
    content.rows('portfolio').catch(noneIfWithheld),
  ])
  const articles = news.map(({ slug, published_at: at, date_updated: updated, image }) =>
    entry(
      paths.article(encodeURIComponent(slug)),
      Math.max(Date.parse(at), (updated && timeOf(updated)) || 0),
      picturePath(image),
    ),
  )
  const newest = latest(articles.map(({ modifiedAt }) => modifiedAt))
  const shown = latest(portfolio.map(({ published_at: at }) => (at ? Date.parse(at) : null)))
  const times = new Map<string, number | null>([
    [paths.home(), newest],
    [paths.news(), newest],
    [paths.portfolio(), shown],
  ])
  const pictures = new Map(services.map(({ url, image }) => [servicePath(url), image]))
  const listed = [
    ...fixed.map((path) => entry(path, times.get(path) ?? null)),
    ...servicePages.map((path) => entry(path, null, picturePath(pictures.get(path)))),
    ...articles,
    ...portfolio.map(({ slug, published_at: at, image }) =>
      entry(paths.project(slug), at ? Date.parse(at) : null, picturePath(image)),
    ),
  ]
  // Of two rows with the same slug only one has the page.
  return [...new Map(listed.toReversed().map((each) => [each.path, each])).values()].toReversed()
}

/** A collection that the content service does not have has no pages; the others still do. */
function noneIfWithheld(thrown: unknown): [] {
  if (isWithheld(thrown)) return []
  throw thrown
}

/** The main picture of a page, if it is one of the content service. */
function picturePath(id: string | null | undefined): string | null {
  if (!id) return null
  const url = assetUrl(id, { width: 1200, format: 'jpg' })
  return url.startsWith('/') && url !== id ? url : null
}

const latest = (times: readonly (number | null)[]): number | null =>
  times.reduce((newest, at) => (newest === null || (at ?? 0) > newest ? at : newest), null)

/** Most addresses in a sitemap (sitemaps.org). */
const mostAddresses = 50_000

/**
 * The sitemap as files by path: one, or an index with parts where there are more addresses than
 * one may hold.
 */
export function sitemapDocuments(
  entries: readonly SitemapEntry[],
  siteUrl: string,
): Map<string, string> {
  const documents = new Map<string, string>()
  if (entries.length <= mostAddresses) {
    documents.set('/sitemap.xml', urlSet(entries, siteUrl))
    return documents
  }
  const parts: Markup[] = []
  for (let at = 0; at < entries.length; at += mostAddresses) {
    const part = entries.slice(at, at + mostAddresses)
    const path = `/sitemap-${parts.length + 1}.xml`
    documents.set(path, urlSet(part, siteUrl))
    const modifiedAt = latest(part.map((each) => each.modifiedAt))
    parts.push(xml`<sitemap><loc>${siteUrl + path}</loc>${lastmod(modifiedAt)}</sitemap>\n`)
  }
  const index = xml`<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${parts}</sitemapindex>
`
  documents.set('/sitemap.xml', declaration + index.markup)
  return documents
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

function urlSet(entries: readonly SitemapEntry[], siteUrl: string): string {
  const urls = entries.map(
    ({ path, modifiedAt, image }) =>
      xml`<url><loc>${siteUrl + path}</loc>${lastmod(modifiedAt)}${
        image ? xml`<image:image><image:loc>${siteUrl + image}</image:loc></image:image>` : null
      }</url>\n`,
  )
  const set = xml`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
${urls}</urlset>
`
  return declaration + set.markup
}

const lastmod = (at: number | null): Markup | null =>
  at === null ? null : xml`<lastmod>${new Date(at).toISOString()}</lastmod>`
