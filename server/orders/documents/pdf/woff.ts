import { inflateSync } from 'node:zlib'

/**
 * The font that a WOFF file packs, as a plain one. The library of PDFs reads WOFF as well, but unpacks a
 * whole table again for each letter: two minutes for a line of a large font.
 */
export function unpackedWoff(file: Buffer): Buffer {
  const count = file.readUInt16BE(12)
  const directory = Buffer.alloc(12 + 16 * count)
  file.copy(directory, 0, 4, 8)
  directory.writeUInt16BE(count, 4)
  const parts = [directory]
  let offset = directory.length
  for (let at = 0; at < count; at += 1) {
    const entry = 44 + 20 * at
    const start = file.readUInt32BE(entry + 4)
    const packed = file.readUInt32BE(entry + 8)
    const length = file.readUInt32BE(entry + 12)
    const bytes = file.subarray(start, start + packed)
    const target = 12 + 16 * at
    file.copy(directory, target, entry, entry + 4)
    file.copy(directory, target + 4, entry + 16, entry + 20)
    directory.writeUInt32BE(offset, target + 8)
    directory.writeUInt32BE(length, target + 12)
    // Tables begin at multiples of four bytes.
    const table = Buffer.alloc(Math.ceil(length / 4) * 4)
    table.set(packed < length ? inflateSync(bytes) : bytes)
    parts.push(table)
    offset += table.length
  }
  return Buffer.concat(parts)
}
