import type { Row } from '../collections.ts'
import { serviceSlug, slugOf } from '#shared/text/slug.ts'
import type { Content } from '../content/source.ts'

/** A project beside the values that filters compare. */
export type Indexed = {
  row: Row<'portfolio'>
  discipline: string
  service: string
  series: string
  year: string
}

/** The portfolio by what addresses ask for. */
export type PortfolioIndex = {
  all: readonly Indexed[]
  bySlug: ReadonlyMap<string, Indexed>
  /** Present slugs by former ones. */
  moved: ReadonlyMap<string, string>
}

/**
 * Makes a function that gives the index of the moment; it is worked out once for each change.
 */
export function createPortfolioIndex(
  content: Pick<Content, 'rows'>,
): () => Promise<PortfolioIndex> {
  let source: readonly Row<'portfolio'>[] | null = null
  let index: PortfolioIndex = { all: [], bySlug: new Map(), moved: new Map() }
  return async () => {
    const rows = await content.rows('portfolio')
    if (rows !== source) {
      const all = rows.map((row) => ({
        row,
        discipline: slugOf(row.discipline ?? ''),
        service: serviceSlug(row.service),
        series: slugOf(row.series ?? ''),
        year: row.year ? String(row.year) : '',
      }))
      const bySlug = new Map(all.map((each) => [each.row.slug, each]))
      const moved = new Map<string, string>()
      for (const { slug, old_slugs: former } of rows) {
        for (const old of former ?? []) if (!moved.has(old)) moved.set(old, slug)
      }
      index = { all, bySlug, moved }
      source = rows
    }
    return index
  }
}
