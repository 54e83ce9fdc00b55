import type { Row } from '../collections.ts'
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
      const { id, slug, title, excerpt, category, author, tags, published_at } = row as Row<'news'>
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
})

/** The list of articles. */
export const newsPage = searchPage(paths.news(), {
  title: 'News',
  intro: 'Race reports, guides and notes from the road.',
  tags: 'news articles blog motorsport racing',
})
