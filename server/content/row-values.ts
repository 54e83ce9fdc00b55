import { isSafeLink, isSafePicture } from './addresses.ts'
import type { StoredRow } from './reader.ts'

/** Something wrong with a field. */
export type Problem = { field: string; problem: string }

/** A stored time is UTC where it names no zone. */
export function timeOf(value: string): number {
  const zoned = /(?:z|[+-]\d\d:?\d\d)$/i.test(value) || !value.includes('T')
  return Date.parse(zoned ? value : `${value}Z`)
}

const numbers = ['sort', 'price_from', 'year', 'founded', 'width', 'height', 'focal_x', 'focal_y']
const links = ['url', 'button_url', 'video_url', 'maps_url']
const files = ['image', 'photo', 'photo_url', 'og_image'] as const
const manyFiles = ['images', 'gallery'] as const

/** The shapes that a Directus gives to the same value, brought to one. */
export function normalise(stored: StoredRow): Record<string, unknown> {
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

/** Takes out addresses that could run something, or lead where they do not say. */
export function withoutUnsafe(values: Record<string, unknown>): {
  values: Record<string, unknown>
  left: Problem[]
} {
  const left: Problem[] = []
  const drop = (field: string, kept?: unknown) => {
    left.push({ field, problem: 'Not an address that may be shown' })
    values[field] = kept
  }
  for (const name of links) {
    const value = values[name]
    if (typeof value === 'string' && !isSafeLink(value)) drop(name)
  }
  for (const name of files) {
    const value = values[name]
    if (typeof value === 'string' && !isSafePicture(value)) drop(name)
  }
  for (const name of manyFiles) {
    const value = values[name]
    if (!Array.isArray(value)) continue
    const safe = value.filter((each) => typeof each !== 'string' || isSafePicture(each))
    if (safe.length < value.length) drop(name, safe)
  }
  const { social } = values
  if (social instanceof Object && !Array.isArray(social)) {
    const safe = Object.entries(social).filter(
      ([, address]) => typeof address !== 'string' || isSafeLink(address),
    )
    if (safe.length < Object.keys(social).length) drop('social', Object.fromEntries(safe))
  }
  return { values, left }
}

/** The picture fields of a row, and their values: file ids and addresses. */
export function picturesOf(row: object): string[] {
  const values = row as Record<string, unknown>
  return [...files, ...manyFiles]
    .flatMap((name) => values[name])
    .filter((value): value is string => typeof value === 'string' && value !== '')
}

/** Changes the pictures of a row in place. */
export function mapPictures(row: object, change: (picture: string) => string): void {
  const values = row as Record<string, unknown>
  for (const name of files) {
    if (typeof values[name] === 'string') values[name] = change(values[name])
  }
  for (const name of manyFiles) {
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
