import { fieldsOf, longTextOf, type Collection } from '../collections.ts'
import { servicePath } from '#shared/paths.ts'
import type { StoredRow } from '../content/collection.ts'
import { namesZone } from '../content/published/row-values.ts'
import { filterPublished } from '../content/published/rows.ts'

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

/** What a row may say of whether it is shown. */
const statuses: ReadonlySet<string> = new Set(['published', 'draft', 'archived'])

/** Fields that a Directus keeps by itself, or that tell people something; they do no harm in a file. */
const kept: ReadonlySet<string> = new Set([
  'id',
  'sort',
  'status',
  'Status',
  'date_created',
  'date_updated',
  'user_created',
  'user_updated',
  'file',
])

const iso = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/i

/** Slugs that addresses show as they are written. */
const plainSlug = /^[a-z\d]+(?:-[a-z\d]+)*$/

/** What the site reads, but hardly as it was meant: dates, words for the status, names of fields. */
export function valueProblems(
  collection: Collection,
  row: StoredRow,
): (Omit<RowProblem, 'row'> & { level: 'error' | 'warning' })[] {
  const problems: ReturnType<typeof valueProblems> = []
  const known = new Set([...fieldsOf(collection), longTextOf(collection), ...kept])
  for (const [field, value] of Object.entries(row)) {
    const shown = JSON.stringify(value)?.slice(0, 60)
    // The `status` of an event is the organiser's, and checked with its other fields.
    const decides = field === 'Status' || (field === 'status' && collection !== 'events')
    if (!known.has(field)) {
      const near = [...known].find((name) => name?.toLowerCase() === field.toLowerCase())
      const problem = `unknown field${near ? `; did you mean ${near}?` : ''}`
      problems.push({ field, problem, level: 'warning' })
    } else if (value === null || value === undefined) continue
    else if (decides && !(typeof value === 'string' && statuses.has(value.trim().toLowerCase()))) {
      const problem = `${shown} is not a status: use published, draft or archived`
      problems.push({ field, problem, level: 'error' })
    } else if ((field === 'published_at' || field === 'date_updated') && !isIsoDate(value)) {
      const problem = `${shown} is not a date like 2026-11-23 or 2026-11-23T09:00:00Z`
      problems.push({ field, problem, level: 'error' })
    } else if (field === 'published_at' && isWithoutZone(value)) {
      const problem = `${shown} names no time zone and is read as UTC; end it with Z, or for Finnish time with +02:00 or +03:00`
      problems.push({ field, problem, level: 'warning' })
    } else if (field === 'slug' && typeof value === 'string' && !plainSlug.test(value)) {
      const problem = `${shown} makes an address that is hard to read and share; use a-z, 0-9 and hyphens`
      problems.push({ field, problem, level: 'warning' })
    }
  }
  return problems
}

/** Whether a value is a time of day without its zone; of a date alone no one expects one. */
const isWithoutZone = (value: unknown): boolean =>
  typeof value === 'string' && value.includes('T') && !namesZone(value)

/** Whether a value is a date as ISO 8601 has it, of a day that there is. */
function isIsoDate(value: unknown): boolean {
  const day = typeof value === 'string' ? iso.exec(value)?.[1] : undefined
  if (day === undefined || Number.isNaN(Date.parse(value as string))) return false
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}

/** Rows that claim what another row has already. */
export function doubles(collection: Collection, rows: readonly StoredRow[]): RowProblem[] {
  const problems: RowProblem[] = []
  const claim = (taken: Set<string>, value: string, row: StoredRow, field: string) => {
    if (taken.has(value)) problems.push({ row, field, problem: `duplicate "${value}"` })
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
