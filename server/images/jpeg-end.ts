import { take, type ReadableBytes } from './bytes.ts'

/** Bytes that are looked through at a time. */
const pieceBytes = 1024 * 1024

/**
 * Whether the pixels of a JPEG come to their end (ITU-T T.81, Annex B): one that was cut off on its way,
 * such as by a full card, has none of the marker, which can't be among the pixels. What a camera appends
 * doesn't matter.
 */
export async function isWholeJpeg(source: ReadableBytes): Promise<boolean> {
  let at = await startOfScan(source)
  if (at === null) return false
  for (; at < source.size - 1; at += pieceBytes) {
    // The marker may be where two pieces meet.
    const piece = await take(source, at, pieceBytes + 1)
    if (piece.includes('\xff\xd9', 0, 'latin1')) return true
  }
  return false
}

/** Where the pixels begin; null where they don't. */
async function startOfScan(source: ReadableBytes): Promise<number | null> {
  for (let at = 2; ;) {
    const head = await take(source, at, 4)
    if (head.length < 4 || head[0] !== 0xff) return null
    // Bytes of 0xFF may fill the room before a marker.
    if (head[1] === 0xff) {
      at += 1
      continue
    }
    if (head[1] === 0xda) return at + 2
    at += 2 + head.readUInt16BE(2)
  }
}
