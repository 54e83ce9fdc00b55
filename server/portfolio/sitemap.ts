import { paths } from '#shared/paths.ts'
import type { Content } from '../content/source.ts'
import { noneIfWithheld } from '../content/unavailable.ts'
import { newestOf, sitemapEntry, type SitemapEntry } from '../sitemap-entry.ts'

/** Every project, and the list of them, which changes when its newest project appears. */
export async function portfolioSitemap(content: Pick<Content, 'rows'>): Promise<SitemapEntry[]> {
  const rows = await content.rows('portfolio').catch(noneIfWithheld)
  const projects = rows.map(({ slug, published_at: at, image }) =>
    sitemapEntry(paths.project(slug), { modifiedAt: at ? Date.parse(at) : null, picture: image }),
  )
  const modifiedAt = newestOf(projects.map((project) => project.modifiedAt))
  return [sitemapEntry(paths.portfolio(), { modifiedAt }), ...projects]
}
