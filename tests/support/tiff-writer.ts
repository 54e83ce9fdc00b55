/** A value of a directory: text, bytes, whole numbers of four bytes, or its own directory. */
export type Value =
  | string
  | Buffer
  | { longs: readonly number[] }
  | { shorts: readonly number[] }
  | { directory: Fields }
  /** Bytes that stand elsewhere in the file, and an offset to them. */
  | { pointer: Buffer }
  | { lengthOf: Buffer }
export type Fields = Readonly<Record<number, Value>>

/**
 * A TIFF with a directory for each of the given fields, one after the other.
 * @param head what stands between the header of eight bytes and the first directory
 * @param base of the offsets in the file that this will be a piece of
 */
export function tiff(
  directories: readonly Fields[],
  { little = true, head = Buffer.alloc(0), mark = 42, base = 0 } = {},
): Buffer {
  const start = Buffer.alloc(8)
  start.write(little ? 'II' : 'MM', 'latin1')
  u16(start, mark, 2, little)
  u32(start, 8 + head.length, 4, little)
  let at = base + 8 + head.length
  const bodies = directories.map((fields, index) => {
    const isLast = index === directories.length - 1
    const body = directory(fields, at, { little, leadsOn: !isLast })
    at += body.length
    return body
  })
  return Buffer.concat([start, head, ...bodies])
}

/**
 * A directory with its values behind it.
 * @param at its own offset
 * @param leadsOn whether another one follows after it
 */
export function directory(
  fields: Fields,
  at: number,
  { little = true, leadsOn = false } = {},
): Buffer {
  const tags = Object.keys(fields).map(Number)
  const table = Buffer.alloc(2 + 12 * tags.length + 4)
  u16(table, tags.length, 0, little)
  const values: Buffer[] = []
  let end = at + table.length
  const put = (bytes: Buffer) => {
    const place = end
    const padded = bytes.length % 2 ? Buffer.concat([bytes, Buffer.alloc(1)]) : bytes
    values.push(padded)
    end += padded.length
    return place
  }
  for (const [index, tag] of tags.entries()) {
    const entry = 2 + 12 * index
    const value = fields[tag]!
    u16(table, tag, entry, little)
    const number = (type: number, count: number, given: number) => {
      u16(table, type, entry + 2, little)
      u32(table, count, entry + 4, little)
      u32(table, given, entry + 8, little)
    }
    const bytes = (type: number, count: number, given: Buffer) => {
      number(type, count, 0)
      if (given.length > 4) u32(table, put(given), entry + 8, little)
      else given.copy(table, entry + 8)
    }
    if (typeof value === 'string') {
      const text = Buffer.from(`${value}\0`, 'latin1')
      bytes(2, text.length, text)
    } else if (Buffer.isBuffer(value)) bytes(7, value.length, value)
    else if ('shorts' in value) {
      const list = Buffer.alloc(2 * value.shorts.length)
      for (const [each, short] of value.shorts.entries()) u16(list, short, 2 * each, little)
      bytes(3, value.shorts.length, list)
    } else if ('longs' in value) {
      const list = Buffer.alloc(4 * value.longs.length)
      for (const [each, long] of value.longs.entries()) u32(list, long, 4 * each, little)
      bytes(4, value.longs.length, list)
    } else if ('pointer' in value) number(4, 1, put(value.pointer))
    else if ('lengthOf' in value) number(4, 1, value.lengthOf.length)
    else number(4, 1, put(directory(value.directory, end, { little })))
  }
  if (leadsOn) u32(table, end, table.length - 4, little)
  return Buffer.concat([table, ...values])
}

function u16(bytes: Buffer, value: number, at: number, little: boolean) {
  if (little) bytes.writeUInt16LE(value, at)
  else bytes.writeUInt16BE(value, at)
}

function u32(bytes: Buffer, value: number, at: number, little: boolean) {
  if (little) bytes.writeUInt32LE(value, at)
  else bytes.writeUInt32BE(value, at)
}
