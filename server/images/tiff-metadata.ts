import { moved, part, take, type Patch, type ReadableBytes } from './bytes.ts'
import { xmpPatches } from './xmp-metadata.ts'

/** Bytes of one value, by TIFF type. */
const typeSizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]

/** Tags that lead to further directories: Exif, SubIFDs, Interoperability. */
const directories: ReadonlySet<number> = new Set([0x8769, 0x014a, 0xa005])
const gpsDirectory = 0x8825
const xmp = 0x02bc

/** Tags that tell whose camera it was, or hold makers' own data, in which serial numbers are. */
const privateTags: ReadonlySet<number> = new Set([
  gpsDirectory,
  0x013c, // HostComputer
  0x927c, // MakerNote
  0xa420, // ImageUniqueID
  0xa430, // CameraOwnerName
  0xa431, // BodySerialNumber
  0xa435, // LensSerialNumber
  0xc62f, // CameraSerialNumber (DNG)
  0xc634, // DNGPrivateData
  0xc65d, // RawDataUniqueID
  0xfde8, // OwnerName (Adobe)
  0xfde9, // SerialNumber (Adobe)
])

const mostDirectories = 64
const mostEntries = 2_000

type Entry = { tag: number; size: number; count: number; at: number; place: number; raw: Buffer }
type Directory = { entries: Entry[]; next: number; length: number }

/** What raw files are developed from; serial numbers may be in it, too. */
export const makersNotes: ReadonlySet<number> = new Set([0x927c, 0xc634])

/** Thrown inside for what is no TIFF, so that its reader can decide what becomes of it. */
const unreadable = new Error('The block is no TIFF.')

/**
 * What hides the place, serial numbers and owner in a TIFF block, which is what EXIF is, or in a
 * whole TIFF file (TIFF 6.0; Exif 3.0). Entries leave their directory, which closes up; their values
 * become zeros. Orientation, author, copyright, dates and settings stay.
 * @param kept private tags that stay all the same
 * @returns null for what cannot be read as TIFF
 */
export async function tiffPatches(
  source: ReadableBytes,
  kept: ReadonlySet<number> = new Set(),
): Promise<Patch[] | null> {
  const head = await take(source, 0, 8)
  const little = head.toString('latin1', 0, 4) === 'II*\0'
  if (head.length < 8 || (!little && head.toString('latin1', 0, 4) !== 'MM\0*')) return null
  const u16 = (bytes: Buffer, at: number) =>
    little ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at)
  const u32 = (bytes: Buffer, at: number) =>
    little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at)

  async function directoryAt(offset: number): Promise<Directory> {
    const count = await take(source, offset, 2)
    if (count.length < 2 || u16(count, 0) > mostEntries) throw unreadable
    const length = 12 * u16(count, 0)
    const body = await take(source, offset + 2, length + 4)
    if (body.length < length) throw unreadable
    const entries = Array.from({ length: length / 12 }, (_, index): Entry => {
      const raw = body.subarray(12 * index, 12 * index + 12)
      const size = (typeSizes[u16(raw, 2)] ?? 1) * u32(raw, 4)
      const place = offset + 2 + 12 * index + 8
      return {
        tag: u16(raw, 0),
        count: u32(raw, 4),
        size,
        at: size > 4 ? u32(raw, 8) : place,
        place,
        raw,
      }
    })
    return { entries, next: body.length >= length + 4 ? u32(body, length) : 0, length: length + 2 }
  }

  const blank = ({ at, size }: Entry): Patch[] => {
    const length = Math.min(size, source.size - at)
    return size > 4 && length > 0 ? [{ at, length, bytes: 0 }] : []
  }

  const values: Patch[] = []
  const rewritten: Patch[] = []

  async function clean(offset: number): Promise<number[]> {
    const { entries, next, length } = await directoryAt(offset)
    const further = next ? [next] : []
    const stay: Buffer[] = []
    for (const entry of entries) {
      if (directories.has(entry.tag)) further.push(...(await offsetsOf(entry)))
      if (entry.tag === xmp && entry.size > 4) {
        const text = part(source, entry.at, entry.at + entry.size)
        values.push(...moved(await xmpPatches(text), entry.at))
      }
      if (!privateTags.has(entry.tag) || kept.has(entry.tag)) stay.push(entry.raw)
      else if (entry.tag === gpsDirectory) await eraseDirectory(u32(entry.raw, 8))
      else values.push(...blank(entry))
    }
    if (stay.length < entries.length) {
      const bytes = Buffer.alloc(Math.min(length + 4, source.size - offset))
      const place = 2 + 12 * stay.length
      if (little) bytes.writeUInt16LE(stay.length)
      else bytes.writeUInt16BE(stay.length)
      for (const [index, raw] of stay.entries()) raw.copy(bytes, 2 + 12 * index)
      if (little) bytes.writeUInt32LE(next, place)
      else bytes.writeUInt32BE(next, place)
      rewritten.push({ at: offset, length: bytes.length, bytes })
    }
    return further
  }

  async function offsetsOf({ at, count, size, raw }: Entry): Promise<number[]> {
    const list =
      size > 4 ? await take(source, at, 4 * Math.min(count, mostDirectories)) : raw.subarray(8)
    return Array.from({ length: Math.floor(list.length / 4) }, (_, index) => u32(list, 4 * index))
  }

  async function eraseDirectory(offset: number): Promise<void> {
    const { entries, length } = await directoryAt(offset)
    values.push(...entries.flatMap(blank), { at: offset, length, bytes: 0 })
  }

  try {
    const seen = new Set<number>()
    const waiting = [u32(head, 4)]
    for (let offset = waiting.shift(); offset !== undefined; offset = waiting.shift()) {
      if (seen.has(offset) || offset === 0) continue
      if (seen.size >= mostDirectories || values.length > mostEntries) return null
      seen.add(offset)
      waiting.push(...(await clean(offset)))
    }
    // Values that claim to lie over a directory must not undo it.
    return [...values, ...rewritten]
  } catch (err) {
    if (err === unreadable || err instanceof RangeError) return null
    throw err
  }
}
