import type { Logger } from 'pino'
import { longTexts, rowSchemas, type Collection, type Row } from '#shared/content.ts'
import { settleEvent } from './event-rows.ts'
import type { StoredRow } from './reader.ts'

/** A row that may be shown: checked, and as it is stored. */
export type Admitted<Name extends Collection = Collection> = { row: Row<Name>; stored: StoredRow }

/** The visible part of a collection. */
export type Admission<Name extends Collection = Collection> = {
  /** In the order of the pages. */
  rows: readonly Row<Name>[]
  /** In stored order. */
  admitted: readonly Admitted<Name>[]
  byId: ReadonlyMap<string, Admitted<Name>>
  /** When the next scheduled row becomes visible, in milliseconds of the epoch; Infinity if none. */
  nextAt: number
}

/**
 * Lets through what the public may see of a collection: published, due and valid. A row that
 * breaks its schema is logged with its field and left out alone.
 * @param now milliseconds of the epoch
 */
export function admit<Name extends Collection>(
  collection: Name,
  stored: readonly StoredRow[],
  { now, log }: { now: number; log: Pick<Logger, 'warn'> },
): Admission<Name> {
  const admitted: Admitted<Name>[] = []
  let nextAt = Infinity
  for (const each of stored) {
    if (!(each instanceof Object) || !isPublished(collection, each)) continue
    const checked = check(collection, each)
    if ('problem' in checked) {
      log.warn({ collection, row: each.id, ...checked }, 'content row left out')
      continue
    }
    const { row } = checked
    const due = 'published_at' in row && row.published_at ? Date.parse(row.published_at) : -Infinity
    if (due > now) nextAt = Math.min(nextAt, due)
    else admitted.push({ row, stored: each })
  }
  return {
    rows: admitted.map(({ row }) => row).toSorted(byPlace),
    admitted,
    byId: new Map(admitted.map((each) => [String(each.row.id), each])),
    nextAt,
  }
}

/** The fields of a collection that the public may read, long text included. */
export function publicFields(collection: Collection): string[] {
  const long: string | undefined = (longTexts as Partial<Record<Collection, string>>)[collection]
  return [...Object.keys(rowSchemas[collection].shape), ...(long ? [long] : [])]
}

/**
 * A row without a status counts as published; a hero record has to say so. The `status` of an event
 * is the organiser's, so that only its `Status` counts here (docs/contract.md, Content service).
 */
function isPublished(collection: Collection, row: StoredRow): boolean {
  const status = collection === 'events' ? row.Status : (row.Status ?? row.status)
  if (status === null || status === undefined) return collection !== 'section_hero'
  return typeof status === 'string' && status.trim().toLowerCase() === 'published'
}

function check<Name extends Collection>(
  collection: Name,
  stored: StoredRow,
): { row: Row<Name> } | { field: string; problem: string } {
  const parsed = rowSchemas[collection].safeParse(normalise(stored))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return { field: issue?.path.map(String).join('.') ?? '', problem: issue?.message ?? 'invalid' }
  }
  const row = parsed.data as Row<Name> & { published_at?: string | null }
  if (row.published_at) {
    const at = timeOf(row.published_at)
    if (Number.isNaN(at)) return { field: 'published_at', problem: 'Not a date' }
    row.published_at = new Date(at).toISOString()
  }
  const wrong = collection === 'events' ? settleEvent(row as Row<'events'>) : null
  return wrong ?? { row }
}

/** A stored time is UTC where it names no zone. */
export function timeOf(value: string): number {
  const zoned = /(?:z|[+-]\d\d:?\d\d)$/i.test(value) || !value.includes('T')
  return Date.parse(zoned ? value : `${value}Z`)
}

const numbers = ['sort', 'price_from', 'year', 'founded', 'width', 'height', 'focal_x', 'focal_y']
const files = ['image', 'photo', 'photo_url', 'og_image']
const manyFiles = ['images', 'gallery']

/** The shapes that a Directus gives to the same value, brought to one. */
function normalise(stored: StoredRow): StoredRow {
  const changes: Record<string, unknown> = {}
  for (const name of numbers) {
    const value = stored[name]
    // Decimal columns come as strings.
    if (typeof value === 'string' && value.trim() !== '') changes[name] = Number(value)
  }
  for (const name of files) {
    if (stored[name] instanceof Object) changes[name] = fileId(stored[name])
  }
  for (const name of manyFiles) {
    const value = stored[name]
    if (Array.isArray(value)) {
      changes[name] = value.map(fileId).filter((id) => typeof id === 'string')
    }
  }
  return { ...stored, ...changes }
}

/** A file field is an id, the file's record, or a junction record around either. */
function fileId(value: unknown): unknown {
  if (!(value instanceof Object)) return value
  if ('directus_files_id' in value) return fileId(value.directus_files_id)
  return 'id' in value ? value.id : value
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
