import { paths } from '#shared/paths.ts'
import { timeOf } from '../content/published/row-values.ts'
import type { Content } from '../content/source.ts'
import { noneIfWithheld } from '../content/unavailable.ts'
import { newestOf, sitemapEntry, type SitemapEntry } from '../contributions/sitemap-entry.ts'
import type { Row } from '../collections.ts'
import { newsTexts } from '#shared/news-texts.ts'
import { searchPage, searchText, type SearchSource } from '../contributions/search-source.ts'
import { mainPages, type OverviewPart } from '../contributions/overview.ts'

/**
 * Every article, which changes when it is published or edited; and the pages that show the newest
 * ones.
 */
export async function newsSitemap(content: Pick<Content, 'rows'>): Promise<SitemapEntry[]> {
  const rows = await content.rows('news').catch(noneIfWithheld)
  const articles = rows.map(({ slug, published_at: at, date_updated: updated, image }) =>
    sitemapEntry(paths.article(slug), {
      modifiedAt: Math.max(Date.parse(at), (updated && timeOf(updated)) || 0),
      picture: image,
    }),
  )
  const modifiedAt = newestOf(articles.map((article) => article.modifiedAt))
  const lists = [paths.home(), paths.news()].map((path) => sitemapEntry(path, { modifiedAt }))
  return [...lists, ...articles]
}

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

/** The list, the feed, and the newest articles. */
export const newsOverview = (content: Pick<Content, 'rows'>): OverviewPart[] => [
  {
    heading: mainPages,
    read: () => [
      {
        text: 'News',
        path: paths.news(),
        about: 'race reports, guides and notes from behind the scenes',
      },
      { text: 'RSS feed', path: paths.feed(), about: 'the newest articles in full' },
    ],
  },
  {
    heading: 'Latest news',
    read: async () =>
      (await content.rows('news')).slice(0, 10).map(({ title, slug, excerpt }) => ({
        text: title,
        path: paths.article(slug),
        about: excerpt,
      })),
  },
]
