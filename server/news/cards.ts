import type { Row } from '../collections.ts'
import type { ArticleCard } from '#shared/news.ts'
import type { Content } from '../content/source.ts'
import { htmlToText } from '../text/html-to-text.ts'
import type { NewsIndex } from './news-index.ts'

/** An article as a list shows it. */
export async function articleCard(
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
export function relatedRows(row: Row<'news'>, { all }: NewsIndex, most: number): Row<'news'>[] {
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
    .slice(0, most)
    .map(({ other }) => other)
}

/** Minutes that reading a text takes, at 220 words a minute and at least one. */
export function readingMinutes(html: string | null): number {
  const words = htmlToText(html ?? '').match(/[\p{L}\p{N}]+/gu)?.length ?? 0
  return Math.max(1, Math.round(words / 220))
}
