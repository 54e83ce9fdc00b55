import type { Row } from '../collections.ts'
import { newsTexts } from '#shared/news-texts.ts'
import { paths } from '#shared/paths.ts'
import type { Content } from '../content/source.ts'
import { searchPage, searchText, type SearchSource } from '../search-source.ts'

/** What is searchable of articles. */
export const newsSearch = (content: Pick<Content, 'stored' | 'storedText'>): SearchSource => ({
  kind: 'news',
  label: 'News',
  showsTags: true,
  read: async () =>
    (await content.stored('news')).map(({ row, stored }) => {
      const { id, slug, title, excerpt, category, author, tags, published_at, image } =
        row as Row<'news'>
      return {
        id: String(id),
        title,
        tags: searchText(category, tags, author),
        intro: searchText(excerpt),
        path: paths.article(slug),
        date: published_at,
        picture: image ?? null,
        body: () => content.storedText('news', stored),
      }
    }),
})

/** The list of articles. */
export const newsPage = searchPage(paths.news(), newsTexts, {
  names: ['articles', 'blog', 'race reports', 'newsroom'],
})
