import type { Logger } from 'pino'
import { longTexts, rowSchemas, type Collection, type Row } from '#shared/content.ts'
import { rulesOf } from './collection-rules.ts'
import type { StoredRow } from './reader.ts'
import { normalise, timeOf, withoutUnsafe, type Problem } from './row-values.ts'

/** A row that may be shown: checked, and as it is stored. */
export type PublishedRow<Name extends Collection = Collection> = {
  row: Row<Name>
  stored: StoredRow
}

/** The visible part of a collection. */
export type Published<Name extends Collection = Collection> = {
  /** In the order of the pages. */
  rows: readonly Row<Name>[]
  /** In stored order. */
  shown: readonly PublishedRow<Name>[]
  byId: ReadonlyMap<string, PublishedRow<Name>>
  /** When the next scheduled row becomes visible, in milliseconds of the epoch; Infinity if none. */
  nextAt: number
}

/**
 * Lets through what the public may see of a collection: published, consented to, due and valid. A
 * field that breaks its schema is logged and left out; the row goes with it only if it needs the
 * field, or the field decides whether it may be shown.
 * @param now milliseconds of the epoch
 */
export function filterPublished<Name extends Collection>(
  collection: Name,
  stored: readonly StoredRow[],
  { now, log }: { now: number; log: Pick<Logger, 'warn'> },
): Published<Name> {
  const shown: PublishedRow<Name>[] = []
  let nextAt = Infinity
  for (const each of stored) {
    if (!(each instanceof Object) || !isPublished(collection, each)) continue
    const { row, left } = check(collection, each)
    const message = row ? 'content field left out' : 'content row left out'
    for (const problem of left) log.warn({ collection, row: each.id, ...problem }, message)
    if (!row) continue
    const due = 'published_at' in row && row.published_at ? Date.parse(row.published_at) : -Infinity
    if (due > now) nextAt = Math.min(nextAt, due)
    else shown.push({ row, stored: left.length > 0 ? withoutLeft(each, row, left) : each })
  }
  return {
    rows: shown.map(({ row }) => row).toSorted(byPlace),
    shown,
    byId: new Map(shown.map((each) => [String(each.row.id), each])),
    nextAt,
  }
}

/** What was left out of a row is not in it as stored either. */
function withoutLeft(stored: StoredRow, row: object, left: readonly Problem[]): StoredRow {
  const names = left.map(({ field }) => field.split('.', 1)[0]!)
  const values = row as Record<string, unknown>
  return { ...stored, ...Object.fromEntries(names.map((name) => [name, values[name] ?? null])) }
}

/** The fields of a collection that the public may read, long text included. */
export function publicFields(collection: Collection): string[] {
  const long: string | undefined = (longTexts as Partial<Record<Collection, string>>)[collection]
  const names = [...Object.keys(rowSchemas[collection].shape), ...(long ? [long] : [])]
  return names.filter((name) => !rulesOf(collection).unshown?.includes(name))
}

/** A row with nothing but what the public may read of it. */
export function publicPart(collection: Collection, row: object): object {
  const fields = publicFields(collection)
  return Object.fromEntries(Object.entries(row).filter(([name]) => fields.includes(name)))
}

/** A row without a status counts as published, unless its collection says otherwise. */
function isPublished(collection: Collection, row: StoredRow): boolean {
  const { isAllowed, statusOf, needsStatus } = rulesOf(collection)
  if (isAllowed?.(row) === false) return false
  const status = statusOf ? statusOf(row) : (row.Status ?? row.status)
  if (status === null || status === undefined) return needsStatus !== true
  return typeof status === 'string' && status.trim().toLowerCase() === 'published'
}

/** Fields that decide whether a row may be shown: a wrong one hides it. */
const deciding: ReadonlySet<string> = new Set(['status', 'Status', 'consent', 'published_at'])

/** The row without its wrong fields; null when it cannot do without one of them. */
function check<Name extends Collection>(
  collection: Name,
  stored: StoredRow,
): { row: Row<Name> | null; left: Problem[] } {
  const schema = rowSchemas[collection]
  const shape: Readonly<Record<string, { safeParse(value: unknown): { success: boolean } }>> =
    schema.shape
  const { values, left } = withoutUnsafe(normalise(stored))
  const first = schema.safeParse(values)
  for (const issue of first.error?.issues ?? []) {
    const [field = ''] = issue.path.map(String)
    const found = { field: issue.path.map(String).join('.'), problem: issue.message }
    if (deciding.has(field) || !shape[field]?.safeParse(undefined).success) {
      return { row: null, left: [...left, found] }
    }
    values[field] = undefined
    left.push(found)
  }
  const parsed = first.success ? first : schema.safeParse(values)
  if (!parsed.success) return { row: null, left }
  const row = parsed.data as Row<Name> & { published_at?: string | null }
  if (row.published_at) {
    const at = timeOf(row.published_at)
    if (Number.isNaN(at))
      return { row: null, left: [{ field: 'published_at', problem: 'Not a date' }] }
    row.published_at = new Date(at).toISOString()
  }
  const wrong = rulesOf(collection).settle?.(row) ?? null
  return wrong ? { row: null, left: [...left, wrong] } : { row, left }
}

/** Whether a field of a row is as its schema wants it. */
export function isValidField(collection: Collection, field: string, row: StoredRow): boolean {
  const shape: Readonly<Record<string, { safeParse(value: unknown): { success: boolean } }>> =
    rowSchemas[collection].shape
  const { values } = withoutUnsafe(normalise({ [field]: row[field] }))
  return shape[field]?.safeParse(values[field]).success ?? false
}

type Placed = {
  id: unknown
  sort?: number | null
  published_at?: string | null
  year?: number | null
  start?: string
}

/** By `sort`, rows without one last; then the newest first, events the earliest; then as stored. */
function byPlace(a: Placed, b: Placed): number {
  return (
    order(a.sort ?? Infinity, b.sort ?? Infinity) ||
    order(b.published_at ?? '', a.published_at ?? '') ||
    order(b.year ?? 0, a.year ?? 0) ||
    order(a.start ?? '', b.start ?? '')
  )
}

const order = <Value extends string | number>(a: Value, b: Value) => (a < b ? -1 : a > b ? 1 : 0)
