import type { Collection } from '#server/collections.ts'
import { servicePath } from '#shared/paths.ts'
import type { StoredRow } from '#server/content/stored-row.ts'
import { filterPublished } from '#server/content/rows.ts'

/** What is wrong with a row by itself, or beside the others of its collection. */
export type RowProblem = { row: StoredRow; field: string; problem: string }

/** What the site would leave out; every row is checked as if it were published. */
export function schemaProblems(collection: Collection, rows: readonly StoredRow[]): RowProblem[] {
  return rows.flatMap((row) => {
    const problems: RowProblem[] = []
    const warn = (found: { field: string; problem: string }) =>
      void problems.push({ row, field: found.field, problem: found.problem })
    // The `status` of an event is the organiser's.
    const status = collection === 'events' ? row.status : 'published'
    filterPublished(collection, [{ ...row, status, Status: 'published' }], {
      now: Infinity,
      log: { warn },
    })
    return problems
  })
}

/** Rows that claim what another row has already. */
export function doubles(collection: Collection, rows: readonly StoredRow[]): RowProblem[] {
  const problems: RowProblem[] = []
  const claim = (taken: Set<string>, value: string, row: StoredRow, field: string) => {
    if (taken.has(value)) problems.push({ row, field, problem: `"${value}" is there twice` })
    taken.add(value)
  }
  const ids = new Set<string>()
  const addresses = new Set<string>()
  for (const row of rows) {
    claim(ids, String(row.id), row, 'id')
    for (const slug of slugsOf(row)) claim(addresses, slug, row, 'slug')
    if (collection === 'services' && typeof row.url === 'string') {
      claim(addresses, servicePath(row.url), row, 'url')
    }
    if (collection === 'SEO' && typeof row.url === 'string') claim(addresses, row.url, row, 'url')
  }
  return problems
}

/** The words by which a row is found, the former ones too. */
export const slugsOf = ({ slug, old_slugs: old }: StoredRow): string[] =>
  [slug, old].flat().filter((each) => typeof each === 'string')
