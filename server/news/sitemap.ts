import { paths } from '#shared/paths.ts'
import { timeOf } from '../content/published/row-values.ts'
import type { Content } from '../content/source.ts'
import { noneIfWithheld } from '../content/unavailable.ts'
import { newestOf, sitemapEntry, type SitemapEntry } from '../sitemap-entry.ts'

/**
 * Every article, which changes when it is published or edited; and the pages that show the newest
 * ones.
 */
export async function newsSitemap(content: Pick<Content, 'rows'>): Promise<SitemapEntry[]> {
  const rows = await content.rows('news').catch(noneIfWithheld)
  const articles = rows.map(({ slug, published_at: at, date_updated: updated, image }) =>
    sitemapEntry(paths.article(encodeURIComponent(slug)), {
      modifiedAt: Math.max(Date.parse(at), (updated && timeOf(updated)) || 0),
      picture: image,
    }),
  )
  const modifiedAt = newestOf(articles.map((article) => article.modifiedAt))
  const lists = [paths.home(), paths.news()].map((path) => sitemapEntry(path, { modifiedAt }))
  return [...lists, ...articles]
}
