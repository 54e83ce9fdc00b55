import { hourMs } from '#shared/dates/durations.ts'
import { helsinki } from '#shared/dates/helsinki-time.ts'
import type { ByteSource } from '../../transfers/disk.ts'

/** A file in a ZIP. */
export type ZipEntry = {
  /** With forward slashes; see zip-names.ts. */
  name: string
  size: number
  /** Milliseconds of the epoch. */
  mtime: number
  /** CRC-32, unsigned. */
  crc: number
}

/** A stretch of a ZIP: bytes that are written here, or the data of the entry with an index. */
export type ZipPart = {
  readonly start: number
  readonly length: number
  readonly entry: number | null
  /** Its bytes, made again each time; only where `entry` is null. */
  bytes(): Buffer
}

/** Where everything in a ZIP is, before a byte of it is read. */
export type ZipLayout = { readonly size: number; readonly parts: readonly ZipPart[] }

/** An entry with its time in the fields of DOS. */
type Stamped = ZipEntry & { date: number; time: number }

const max32 = 0xffffffff
const max16 = 0xffff
/** Names are UTF-8. */
const utf8NameFlag = 0x0800
const madeByUnix = 3

/**
 * Lays out a ZIP without compression (APPNOTE 6.3.10): the same entries make the same bytes, so
 * its length is known, and any part of it can be sent again. ZIP64 fields are written where,
 * and only where, a number does not fit.
 * @param given the entries in their order; names unique
 */
export function layOutZip(given: readonly ZipEntry[]): ZipLayout {
  const offsetOf = zoneOffsets()
  const entries = given.map((entry) => ({ ...entry, ...dosTime(entry.mtime, offsetOf) }))
  const parts: ZipPart[] = []
  let at = 0
  const add = (length: number, bytes: () => Buffer, entry: number | null = null) => {
    if (length > 0) parts.push({ start: at, length, entry, bytes })
    at += length
  }
  const offsets: number[] = []
  for (const [index, entry] of entries.entries()) {
    offsets.push(at)
    add(30 + nameLength(entry) + localExtra(entry), () => localHeader(entry))
    add(entry.size, none, index)
  }
  const directory = at
  for (const [index, entry] of entries.entries()) {
    const offset = offsets[index]!
    add(46 + nameLength(entry) + centralExtra(entry, offset), () => centralHeader(entry, offset))
  }
  const directorySize = at - directory
  const large = entries.length >= max16 || directory >= max32 || directorySize >= max32
  const end = { count: entries.length, directory, directorySize, at }
  if (large) add(56 + 20, () => zip64End(end))
  add(22, () => endOfDirectory(end))
  return { size: at, parts }
}

const none = () => Buffer.alloc(0)
const nameLength = ({ name }: ZipEntry) => Buffer.byteLength(name)
const isLarge = ({ size }: ZipEntry) => size >= max32
/** The time as UTC in seconds, which the DOS fields cannot say. */
const timeExtra = 4 + 5
const localExtra = (entry: ZipEntry) => timeExtra + (isLarge(entry) ? 4 + 16 : 0)
const centralExtra = (entry: ZipEntry, offset: number) => {
  const large = (isLarge(entry) ? 16 : 0) + (offset >= max32 ? 8 : 0)
  return timeExtra + (large ? 4 + large : 0)
}

function localHeader(entry: Stamped): Buffer {
  const { name, size } = entry
  const large = isLarge(entry)
  const out = Buffer.alloc(30 + nameLength(entry) + localExtra(entry))
  out.writeUInt32LE(0x04034b50, 0)
  common(out, 4, entry, large)
  out.writeUInt16LE(localExtra(entry), 28)
  let at = 30 + out.write(name, 30)
  at = writeTime(out, at, entry)
  if (large) writeLarge(out, at, [size, size])
  return out
}

function centralHeader(entry: Stamped, offset: number): Buffer {
  const { name, size } = entry
  const extra = centralExtra(entry, offset)
  const out = Buffer.alloc(46 + nameLength(entry) + extra)
  out.writeUInt32LE(0x02014b50, 0)
  out.writeUInt16LE((madeByUnix << 8) | 45, 4)
  common(out, 6, entry, isLarge(entry) || offset >= max32)
  out.writeUInt16LE(extra, 30)
  // A plain file, readable for all.
  out.writeUInt32LE((0o100644 << 16) >>> 0, 38)
  out.writeUInt32LE(Math.min(offset, max32), 42)
  let at = 46 + out.write(name, 46)
  at = writeTime(out, at, entry)
  const large = [...(isLarge(entry) ? [size, size] : []), ...(offset >= max32 ? [offset] : [])]
  if (large.length > 0) writeLarge(out, at, large)
  return out
}

/** The fields that both headers share, from "version needed" to "name length". */
function common(out: Buffer, at: number, entry: Stamped, large: boolean): void {
  const { time, date } = entry
  const size = Math.min(entry.size, max32)
  out.writeUInt16LE(large ? 45 : 20, at)
  out.writeUInt16LE(utf8NameFlag, at + 2)
  // Method 0: pictures and films do not get smaller.
  out.writeUInt16LE(0, at + 4)
  out.writeUInt16LE(time, at + 6)
  out.writeUInt16LE(date, at + 8)
  out.writeUInt32LE(entry.crc, at + 10)
  out.writeUInt32LE(size, at + 14)
  out.writeUInt32LE(size, at + 18)
  out.writeUInt16LE(nameLength(entry), at + 22)
}

function writeTime(out: Buffer, at: number, { mtime }: ZipEntry): number {
  out.writeUInt16LE(0x5455, at)
  out.writeUInt16LE(5, at + 2)
  out.writeUInt8(1, at + 4)
  const seconds = Math.floor(mtime / 1000)
  out.writeInt32LE(Math.min(Math.max(seconds, -(2 ** 31)), 2 ** 31 - 1), at + 5)
  return at + timeExtra
}

function writeLarge(out: Buffer, at: number, values: readonly number[]): void {
  out.writeUInt16LE(1, at)
  out.writeUInt16LE(values.length * 8, at + 2)
  for (const [index, value] of values.entries()) {
    out.writeBigUInt64LE(BigInt(value), at + 4 + index * 8)
  }
}

type End = { count: number; directory: number; directorySize: number; at: number }

function zip64End({ count, directory, directorySize, at }: End): Buffer {
  const out = Buffer.alloc(56 + 20)
  out.writeUInt32LE(0x06064b50, 0)
  out.writeBigUInt64LE(44n, 4)
  out.writeUInt16LE((madeByUnix << 8) | 45, 12)
  out.writeUInt16LE(45, 14)
  out.writeBigUInt64LE(BigInt(count), 24)
  out.writeBigUInt64LE(BigInt(count), 32)
  out.writeBigUInt64LE(BigInt(directorySize), 40)
  out.writeBigUInt64LE(BigInt(directory), 48)
  out.writeUInt32LE(0x07064b50, 56)
  out.writeBigUInt64LE(BigInt(at), 64)
  out.writeUInt32LE(1, 72)
  return out
}

function endOfDirectory({ count, directory, directorySize }: End): Buffer {
  const out = Buffer.alloc(22)
  out.writeUInt32LE(0x06054b50, 0)
  out.writeUInt16LE(Math.min(count, max16), 8)
  out.writeUInt16LE(Math.min(count, max16), 10)
  out.writeUInt32LE(Math.min(directorySize, max32), 12)
  out.writeUInt32LE(Math.min(directory, max32), 16)
  return out
}

/** The clock in Helsinki in the fields of DOS, which know no zones, no odd seconds and no year before 1980. */
function dosTime(at: number, offsetOf: (at: number) => number): { date: number; time: number } {
  const shown = new Date(at + offsetOf(at) * 60_000)
  const year = shown.getUTCFullYear()
  if (year < 1980) return { date: (1 << 5) | 1, time: 0 }
  return {
    date: (Math.min(year - 1980, 127) << 9) | ((shown.getUTCMonth() + 1) << 5) | shown.getUTCDate(),
    time: (shown.getUTCHours() << 11) | (shown.getUTCMinutes() << 5) | (shown.getUTCSeconds() >> 1),
  }
}

/** The minutes that Helsinki is ahead of UTC, asked for once an hour: it only changes on the hour. */
function zoneOffsets(): (at: number) => number {
  const known = new Map<number, number>()
  return (at) => {
    const hour = Math.floor(at / hourMs)
    let offset = known.get(hour)
    if (offset === undefined) known.set(hour, (offset = helsinki(at).offset))
    return offset
  }
}

/**
 * The bytes of a ZIP, read where they are asked for: one file is open at a time, and nothing of it
 * is held in memory.
 * @param data opens the data of the entry with an index
 */
export function zipSource(
  { size, parts }: ZipLayout,
  data: (entry: number) => Promise<ByteSource>,
): ByteSource {
  let opened: { entry: number; source: ByteSource } | null = null
  const dataOf = async (entry: number) => {
    if (opened?.entry === entry) return opened.source
    await opened?.source.close()
    opened = null
    const source = await data(entry)
    opened = { entry, source }
    return source
  }
  return {
    size,
    async read(into, position) {
      let filled = 0
      let index = partAt(parts, position)
      // Headers are small, so as many parts as fit are read at once.
      while (filled < into.length && index < parts.length) {
        const part = parts[index]!
        const from = position + filled - part.start
        if (from >= part.length) {
          index += 1
          continue
        }
        const wanted = Math.min(part.length - from, into.length - filled)
        filled +=
          part.entry === null
            ? part.bytes().copy(into, filled, from, from + wanted)
            : await (await dataOf(part.entry)).read(into.subarray(filled, filled + wanted), from)
      }
      return filled
    },
    async close() {
      const last = opened
      opened = null
      await last?.source.close()
    },
  }
}

/** The index of the part that a byte is in. */
function partAt(parts: readonly ZipPart[], position: number): number {
  let low = 0
  let high = parts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (parts[middle]!.start <= position) low = middle
    else high = middle - 1
  }
  return low
}
