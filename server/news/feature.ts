import type { Row } from '#shared/content.ts'
import { paths } from '#shared/paths.ts'
import { searchKinds } from '#shared/search.ts'
import type { Feature, Platform } from '../feature.ts'
import { searchText } from '../search-source.ts'
import { feedFiles } from './feed.ts'
import { newsOverview } from './overview.ts'
import { newsRoutes } from './routes.ts'
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
    search: [
      {
        kind: 'news',
        label: searchKinds.news,
        read: async () =>
          (await content.stored('news')).map(({ row, stored }) => {
            const { id, slug, title, excerpt, category, author, tags, published_at } =
              row as Row<'news'>
            return {
              id: String(id),
              title,
              tags: searchText(category, tags, author),
              intro: searchText(excerpt),
              path: paths.article(slug),
              date: published_at,
              body: () => content.storedText('news', stored),
            }
          }),
      },
    ],
  }
}
