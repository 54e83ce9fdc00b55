import { isUtf8 } from 'node:buffer'
import { take, type MetadataSource } from './bytes.ts'

/** Bytes of one value, by TIFF type. */
const typeSizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]

/** Tags that lead to further directories: Exif, SubIFDs, Interoperability. */
const leading: ReadonlySet<number> = new Set([0x8769, 0x014a, 0xa005])

const maxDirectories = 1_000
/** Of one directory; budget.ts says how many of a file together. */
const maxEntries = 2_000

/** One entry of a directory. */
export type Entry = {
  readonly tag: number
  /** How many values, and bytes of all of them; both as the file claims. */
  readonly count: number
  readonly size: number
  /** Where the values are: in the entry itself up to four bytes, else where it points to. */
  readonly at: number
  /** The twelve bytes as they are in the file. */
  readonly raw: Buffer
}

/** A directory: where it is, its bytes without the pointer at its end, and that pointer. */
export type Directory = {
  readonly offset: number
  readonly length: number
  readonly entries: readonly Entry[]
  readonly next: number
}

/** How whole numbers are written: true for the small end first. */
export type Order = boolean

/** A whole number of two bytes. @throws RangeError beyond the end */
export const u16 = (bytes: Buffer, at: number, little: Order): number =>
  little ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at)

/** A whole number of four bytes. @throws RangeError beyond the end */
export const u32 = (bytes: Buffer, at: number, little: Order): number =>
  little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at)

/**
 * Reads a directory (TIFF 6.0, section 2).
 * @returns null for what is none, or is longer than any that a camera writes
 */
export async function readDirectory(
  source: MetadataSource,
  little: Order,
  offset: number,
): Promise<Directory | null> {
  const head = await take(source, offset, 2)
  if (head.length < 2 || u16(head, 0, little) > maxEntries) return null
  const length = 12 * u16(head, 0, little)
  const body = await take(source, offset + 2, length + 4)
  if (body.length < length) return null
  source.budget.spend('entries', length / 12)
  const entries = Array.from({ length: length / 12 }, (_, index): Entry => {
    const raw = body.subarray(12 * index, 12 * index + 12)
    const count = u32(raw, 4, little)
    const size = (typeSizes[u16(raw, 2, little)] ?? 1) * count
    const inside = offset + 2 + 12 * index + 8
    const at = size > 4 ? u32(raw, 8, little) : inside
    return { tag: u16(raw, 0, little), count, size, at, raw }
  })
  const next = body.length >= length + 4 ? u32(body, length, little) : 0
  return { offset, length: length + 2, entries, next }
}

/** A directory without some of its entries: it closes up, and ends in zeros. */
export function withoutEntries(
  { length, next }: Directory,
  stay: readonly Entry[],
  little: Order,
): Buffer {
  const bytes = Buffer.alloc(length + 4)
  const end = 2 + 12 * stay.length
  if (little) bytes.writeUInt16LE(stay.length)
  else bytes.writeUInt16BE(stay.length)
  for (const [index, { raw }] of stay.entries()) raw.copy(bytes, 2 + 12 * index)
  if (little) bytes.writeUInt32LE(next, end)
  else bytes.writeUInt32BE(next, end)
  return bytes
}

/** A TIFF block or file with all of its directories. */
export type Tiff = { readonly little: Order; readonly directories: readonly Directory[] }

/**
 * Reads the directories of a TIFF block, which is what EXIF is, or of a TIFF file.
 * @returns null for what isn't a TIFF, or has a directory that cannot be read
 */
export async function readTiff(source: MetadataSource): Promise<Tiff | null> {
  const head = await take(source, 0, 8)
  const little = head.toString('latin1', 0, 4) === 'II*\0'
  if (head.length < 8 || (!little && head.toString('latin1', 0, 4) !== 'MM\0*')) return null
  const directories: Directory[] = []
  const seen = new Set<number>([0])
  const waiting = [u32(head, 4, little)]
  for (let offset = waiting.shift(); offset !== undefined; offset = waiting.shift()) {
    if (seen.has(offset)) continue
    seen.add(offset)
    const directory = await readDirectory(source, little, offset)
    if (!directory || directories.length + waiting.length >= maxDirectories) return null
    directories.push(directory)
    for (const entry of directory.entries) {
      if (leading.has(entry.tag)) waiting.push(...(await numbersOf(source, entry, little)))
    }
    waiting.push(directory.next)
  }
  return { little, directories }
}

/**
 * The values of an entry as whole numbers of its own width, of the long lists the first thousand.
 * @returns none for texts, fractions, and what lies beyond the end
 */
export async function numbersOf(
  source: MetadataSource,
  { raw, size, count, at }: Entry,
  little: Order,
): Promise<number[]> {
  const width = typeSizes[u16(raw, 2, little)] ?? 1
  if (![1, 2, 4].includes(width)) return []
  const wanted = Math.min(count, maxDirectories)
  const list = size > 4 ? await take(source, at, width * wanted) : raw.subarray(8, 8 + size)
  return Array.from({ length: Math.floor(list.length / width) }, (_, index) => {
    if (width === 1) return list.readUInt8(index)
    return width === 2 ? u16(list, 2 * index, little) : u32(list, 4 * index, little)
  })
}

/** The text of an entry, up to its first zero; bytes that are not UTF-8 are read as Latin-1. */
export async function textOf(
  source: MetadataSource,
  { raw, size, at }: Entry,
  longest: number,
): Promise<string> {
  const bytes =
    size > 4 ? await take(source, at, Math.min(size, longest)) : raw.subarray(8, 8 + size)
  const encoding = isUtf8(bytes) ? 'utf8' : 'latin1'
  return bytes.toString(encoding).split('\0', 1)[0]!.trim()
}
