import type { Row } from '../collections.ts'
import type { Category } from '#shared/news.ts'
import { slugOf } from '#shared/text/slug.ts'
import type { Content } from '../content/source.ts'

type Rows = readonly Row<'news'>[]

/** The visible news by what addresses ask for; the newest first. */
export type NewsIndex = {
  all: Rows
  /** The place of an article in {@link all}. */
  placeOf: ReadonlyMap<string, number>
  /** Present slugs by former ones. */
  moved: ReadonlyMap<string, string>
  categories: readonly Category[]
  byCategory: ReadonlyMap<string, Rows>
}

/** Returns a function for the current index, which is computed once per change. */
export function createNewsIndex(content: Pick<Content, 'rows'>): () => Promise<NewsIndex> {
  let source: Rows | null = null
  let index: NewsIndex | null = null
  return async () => {
    const rows = await content.rows('news')
    if (rows !== source || !index) index = indexOf((source = rows))
    return index
  }
}

function indexOf(rows: Rows): NewsIndex {
  const all = rows.toSorted((a, b) => (a.published_at < b.published_at ? 1 : -1))
  const placeOf = new Map<string, number>()
  const moved = new Map<string, string>()
  const byCategory = new Map<string, Row<'news'>[]>()
  const titles = new Map<string, string>()
  for (const [place, row] of all.entries()) {
    if (!placeOf.has(row.slug)) placeOf.set(row.slug, place)
    for (const old of row.old_slugs ?? []) if (!moved.has(old)) moved.set(old, row.slug)
    const category = slugOf(row.category ?? '')
    if (!category) continue
    if (!titles.has(category)) titles.set(category, row.category!.trim())
    const others = byCategory.get(category)
    if (others) others.push(row)
    else byCategory.set(category, [row])
  }
  const categories = [...byCategory]
    .map(([slug, { length: count }]) => ({ slug, title: titles.get(slug)!, count }))
    .toSorted((a, b) => b.count - a.count || (a.title < b.title ? -1 : 1))
  return { all, placeOf, moved, categories, byCategory }
}
