import type { Row } from '../collections.ts'
import { failure } from '#shared/failures.ts'
import {
  articlesPerPage,
  getArticle,
  latestNews,
  listNews,
  type Article,
  type ArticleCard,
} from '#shared/news.ts'
import { pageNumber } from '#shared/text/slug.ts'
import { withTimeout } from '../concurrency/timeout.ts'
import { timeOf } from '../content/published/row-values.ts'
import type { Http, Platform } from '../feature.ts'
import { createNewsIndex, type NewsIndex } from './news-index.ts'
import { previewEnd } from './preview.ts'
import type { Content } from '../content/source.ts'
import { htmlToText } from '../text/html-to-text.ts'

/** The news and its articles. Lists never touch a long text; an article reads only its own. */
export function newsRoutes(
  platform: Pick<Platform, 'content' | 'keys' | 'clock'>,
  { endpoints }: Pick<Http, 'endpoints'>,
): void {
  const { content } = platform
  const rules = { limit: 'read', access: 'public' } as const
  const index = createNewsIndex(content)
  const cards = (rows: readonly Row<'news'>[]) =>
    Promise.all(rows.map((row) => articleCard(row, content)))

  endpoints.serve(latestNews, rules, async () => cards((await content.rows('news')).slice(0, 3)))

  endpoints.serve(listNews, rules, async (input) => {
    const { all, byCategory, categories } = await withTimeout(index())
    const page = pageNumber(input.page)
    const rows = input.category === undefined ? all : byCategory.get(input.category)
    if (!rows || page === null) throw failure('missing')
    const pages = Math.max(1, Math.ceil(rows.length / articlesPerPage))
    if (page > pages) throw failure('missing')
    return {
      articles: await cards(rows.slice((page - 1) * articlesPerPage, page * articlesPerPage)),
      total: rows.length,
      page,
      pages,
      category: categories.find(({ slug }) => slug === input.category) ?? null,
      categories: [...categories],
    }
  })

  endpoints.serve(getArticle, rules, async ({ slug, preview }) => {
    const until = preview === undefined ? null : previewEnd(platform, slug, preview)
    const hidden = until === null ? null : await content.hidden('news', { slug })
    // Before what is public: a draft may be the next version of an article, with its address.
    if (until !== null && hidden) {
      return articleOf(content, hidden.row, hidden.text, {
        previous: null,
        next: null,
        related: [],
        previewUntil: new Date(until).toISOString(),
      })
    }
    const news = await withTimeout(index())
    const place = news.placeOf.get(slug)
    if (place !== undefined) {
      const row = news.all[place]!
      const body = await withTimeout(content.text('news', row.id))
      const beside = neighbour(news, place)
      const related = await cards(relatedRows(row, news, 3))
      return articleOf(content, row, body, { ...beside, related })
    }
    const movedTo = news.moved.get(slug)
    if (movedTo !== undefined) return { movedTo }
    throw failure('missing')
  })
}

async function articleOf(
  content: Platform['content'],
  row: Row<'news'>,
  body: string | null,
  beside: Pick<Article, 'previous' | 'next' | 'related'> & { previewUntil?: string },
): Promise<Article> {
  return {
    ...(await articleCard(row, content)),
    tags: row.tags ?? [],
    updatedAt: updatedAt(row),
    body,
    minutes: readingMinutes(body),
    previewUntil: null,
    ...beside,
  }
}

function neighbour({ all }: NewsIndex, place: number) {
  const link = (row: Row<'news'> | undefined) => (row ? { slug: row.slug, title: row.title } : null)
  return { previous: link(all[place + 1]), next: link(all[place - 1]) }
}

/** A time of editing that is none, or lies before the publishing, says nothing. */
function updatedAt({ date_updated: updated, published_at: published }: Row<'news'>): string | null {
  const at = updated ? timeOf(updated) : NaN
  return at > Date.parse(published) ? new Date(at).toISOString() : null
}

/** An article as a list shows it. */
async function articleCard(
  row: Row<'news'>,
  content: Pick<Content, 'picture'>,
): Promise<ArticleCard> {
  return {
    slug: row.slug,
    title: row.title,
    excerpt: row.excerpt ?? '',
    category: row.category ?? null,
    author: row.author ?? null,
    publishedAt: row.published_at,
    picture: await content.picture(row.image),
  }
}

/** How many of the newest articles are looked at for related ones. */
const lookedAt = 300

/** The articles that have most in common with one: tags count double, its category once. */
function relatedRows(row: Row<'news'>, { all }: NewsIndex, max: number): Row<'news'>[] {
  const tags = new Set(row.tags)
  return all
    .slice(0, lookedAt)
    .filter(({ slug }) => slug !== row.slug)
    .map((other) => ({
      other,
      score:
        2 * (other.tags ?? []).filter((tag) => tags.has(tag)).length +
        (other.category && other.category === row.category ? 1 : 0),
    }))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, max)
    .map(({ other }) => other)
}

/** Minutes that reading a text takes, at 220 words a minute and at least one. */
function readingMinutes(html: string | null): number {
  const words = htmlToText(html ?? '').match(/[\p{L}\p{N}]+/gu)?.length ?? 0
  return Math.max(1, Math.round(words / 220))
}
