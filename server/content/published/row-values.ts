import { definitionOf, type Collection } from '../../collections.ts'
import { isSafeLink, isSafePicture } from '../addresses.ts'
import type { FieldKind, Problem, StoredRow } from '../collection.ts'

/** A stored time is UTC where it names no zone, wherever the server runs. */
export function timeOf(value: string): number {
  const time = value.trim()
  return Date.parse(isDay.test(time) || namesZone(time) ? time : `${time}Z`)
}

const isDay = /^\d{4}-\d\d-\d\d$/

/** Whether a time says of which zone it is. */
export const namesZone = (time: string): boolean =>
  /(?:z|gmt|utc|:\d\d(?:\.\d{1,9})? ?[+-]\d\d(?::?\d\d)?)$/i.test(time.trim())

/** Years that a date may have; others are slips of the finger. */
const [firstYear, lastYear] = [1900, 2200]

/** Whether a text is a date or a moment of the calendar, of a year that someone can have meant. */
export function isPlausibleDate(value: string): boolean {
  const at = timeOf(value)
  if (Number.isNaN(at)) return false
  const year = new Date(at).getUTCFullYear()
  if (year < firstYear || year > lastYear) return false
  // The 30th of February is no error to the engine, but another day.
  const [, date] = /^(\d{4}-\d\d-\d\d)/.exec(value) ?? []
  if (date === undefined) return true
  const day = Date.parse(`${date}T00:00:00Z`)
  return !Number.isNaN(day) && new Date(day).toISOString().startsWith(date)
}

/** The fields of each kind by collection, put together when they are first asked for. */
const fieldsByKind = new Map<Collection, ReadonlyMap<FieldKind, readonly string[]>>()

/** The fields of a collection that hold something of a kind. */
export function fieldsOfKind(collection: Collection, kind: FieldKind): readonly string[] {
  let byKind = fieldsByKind.get(collection)
  if (!byKind) {
    byKind = groupedByKind(definitionOf(collection).kinds ?? {})
    fieldsByKind.set(collection, byKind)
  }
  return byKind.get(kind) ?? []
}

function groupedByKind(kinds: Readonly<Record<string, FieldKind | undefined>>) {
  const groups = new Map<FieldKind, string[]>()
  for (const [name, kind] of Object.entries(kinds)) {
    if (kind) groups.set(kind, [...(groups.get(kind) ?? []), name])
  }
  return groups
}

/** The shapes that a Directus gives to the same value, brought to one. */
export function normalise(collection: Collection, stored: StoredRow): Record<string, unknown> {
  const changes: Record<string, unknown> = {}
  for (const name of fieldsOfKind(collection, 'number')) {
    const value = stored[name]
    // Decimal columns come as strings.
    if (typeof value !== 'string' || value.trim() === '') continue
    // Editors write 490,50 as well.
    changes[name] = Number(value.trim().replace(/^(-?\d+),(\d{1,2})$/, '$1.$2'))
  }
  for (const name of fieldsOfKind(collection, 'picture')) {
    if (stored[name] instanceof Object) changes[name] = fileId(stored[name])
  }
  for (const name of fieldsOfKind(collection, 'pictures')) {
    const value = stored[name]
    if (Array.isArray(value)) {
      changes[name] = value.map(fileId).filter((id) => typeof id === 'string')
    }
  }
  return { ...(isWellFormed(stored) ? stored : (wellFormed(stored) as object)), ...changes }
}

/** Whether every text is whole: half of a sign of two parts makes addresses of it throw. */
const isWellFormed = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.isWellFormed()
    : !(value instanceof Object) || Object.values(value).every(isWellFormed)

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(wellFormed)
  if (!(value instanceof Object)) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, wellFormed(each)]))
}

/** Takes out addresses that could run something, or lead where they do not say, and no dates. */
export function withoutUnsafe(
  collection: Collection,
  values: Record<string, unknown>,
): { values: Record<string, unknown>; left: Problem[] } {
  const left: Problem[] = []
  const drop = (field: string, kept?: unknown, problem = 'Not an allowed URL') => {
    left.push({ field, problem })
    values[field] = kept
  }
  for (const name of fieldsOfKind(collection, 'date')) {
    const value = values[name]
    if (typeof value !== 'string' || isPlausibleDate(value)) continue
    // A row without the day from which it may be shown stays away, see `rows.ts`.
    if (name !== 'published_at') drop(name, undefined, 'Not a date')
  }
  for (const name of fieldsOfKind(collection, 'link')) {
    const value = values[name]
    if (typeof value === 'string' && !isSafeLink(value)) drop(name)
  }
  for (const name of fieldsOfKind(collection, 'picture')) {
    const value = values[name]
    if (typeof value === 'string' && !isSafePicture(value)) drop(name)
  }
  for (const name of fieldsOfKind(collection, 'pictures')) {
    const value = values[name]
    if (!Array.isArray(value)) continue
    const safe = value.filter((each) => typeof each !== 'string' || isSafePicture(each))
    if (safe.length < value.length) drop(name, safe)
  }
  for (const name of fieldsOfKind(collection, 'links')) {
    const value = values[name]
    if (!(value instanceof Object) || Array.isArray(value)) continue
    const safe = Object.entries(value).filter(
      ([, address]) => typeof address !== 'string' || isSafeLink(address),
    )
    if (safe.length < Object.keys(value).length) drop(name, Object.fromEntries(safe))
  }
  return { values, left }
}

/** The pictures that a row names: file ids and addresses. */
export function picturesOf(collection: Collection, row: object): string[] {
  const values = row as Record<string, unknown>
  return [...fieldsOfKind(collection, 'picture'), ...fieldsOfKind(collection, 'pictures')]
    .flatMap((name) => values[name])
    .filter((value): value is string => typeof value === 'string' && value !== '')
}

/** Changes the pictures of a row in place. */
export function mapPictures(
  collection: Collection,
  row: object,
  change: (picture: string) => string,
): void {
  const values = row as Record<string, unknown>
  for (const name of fieldsOfKind(collection, 'picture')) {
    if (typeof values[name] === 'string') values[name] = change(values[name])
  }
  for (const name of fieldsOfKind(collection, 'pictures')) {
    if (Array.isArray(values[name])) {
      values[name] = values[name].map((each: unknown) =>
        typeof each === 'string' ? change(each) : each,
      )
    }
  }
}

/** A file field is an id, the file's record, or a junction record around either. */
function fileId(value: unknown): unknown {
  const junction = value instanceof Object && 'directus_files_id' in value
  const file = junction ? value.directus_files_id : value
  return file instanceof Object && 'id' in file ? file.id : file
}
