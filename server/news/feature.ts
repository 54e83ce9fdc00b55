import { paths } from '#shared/paths.ts'
import type { Feature, Platform } from '../feature.ts'
import { feedFiles } from './feed.ts'
import { newsOverview, newsPage, newsSearch, newsSitemap } from './listings.ts'
import { previewOf, type PreviewLink } from './preview.ts'

/** The news (docs/contract.md, Pages) over the collection `news`. */
export type NewsFeature = Feature & {
  /** Creates a link that shows an unpublished article for an hour. @throws missing */
  previewLink(slug: string): Promise<PreviewLink>
}

export function newsFeature(platform: Platform): NewsFeature {
  const { content } = platform
  return {
    name: 'news',
    previewLink: (slug) => previewOf(platform, slug),
    async routes(http) {
      const { newsRoutes } = await import('./routes.ts')
      newsRoutes(platform, http)
    },
    signs: [
      {
        kind: 'previews',
        what: 'previews of unpublished articles',
        purposes: ['news-preview'],
      },
    ],
    pages: [paths.news()],
    sitemap: () => newsSitemap(content),
    overview: newsOverview(content),
    files: [feedFiles(platform)],
    search: [newsSearch(content)],
    searchPages: () => [newsPage],
  }
}
