import { paths } from '#shared/paths.ts'
import type { Feature, Platform } from '../feature.ts'
import { feedFiles } from './feed.ts'
import { newsOverview } from './overview.ts'
import { newsRoutes } from './routes.ts'
import { newsPage, newsSearch } from './search.ts'
import { newsSitemap } from './sitemap.ts'

/** The news (docs/contract.md, Pages) over the collection `news`. */
export function newsFeature(platform: Platform): Feature {
  const { content } = platform
  return {
    name: 'news',
    routes: (http) => newsRoutes(platform, http),
    pages: [paths.news()],
    sitemap: () => newsSitemap(content),
    overview: newsOverview(content),
    files: [feedFiles(platform)],
    search: [newsSearch(content)],
    searchPages: () => [newsPage],
  }
}
