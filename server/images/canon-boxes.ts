import { boxes, freed, type Box } from './boxes.ts'
import { moved, part, take, type Patch, type ReadableBytes } from './bytes.ts'
import { jpegPatches } from './jpeg-metadata.ts'
import { canonTags, notesPatches } from './makers-notes.ts'
import { tiffPatches } from './tiff-metadata.ts'
import { u32 } from './tiff.ts'

/** Canon's box for what its cameras write into CR3 files and films. */
export const canonUuid = '85c0b687820f11e08111f4ce462b6a48'

/** Boxes in it that tell of the file and not of the camera: versions, sizes, and where tracks are. */
const plain: ReadonlySet<string> = new Set(['CNCV', 'CCTP', 'CTBO', 'free'])

/** Bytes in which a preview begins, after its own size and version. */
const previewHead = 64

/**
 * What hides private metadata in Canon's box: four TIFF blocks and a thumbnail. Boxes that nobody
 * knows become free space.
 * @returns null when a block is not as expected
 */
export async function canonPatches(source: ReadableBytes, box: Box): Promise<Patch[] | null> {
  const patches: Patch[] = []
  for (const each of await boxes(source, box.start + 16, box.end)) {
    if (!each.whole) return null
    const inside = part(source, each.start, each.end)
    const found = await contentPatches(inside, each.type)
    if (!found) return null
    patches.push(...(found === 'unknown' ? freed(each) : moved(found, each.start)))
  }
  return patches
}

async function contentPatches(
  inside: ReadableBytes,
  type: string,
): Promise<Patch[] | 'unknown' | null> {
  if (plain.has(type)) return []
  if (type === 'CMT1' || type === 'CMT2') return tiffPatches(inside)
  if (type === 'CMT3') return notesBlockPatches(inside)
  if (type === 'CMT4') return positionPatches(inside)
  return type === 'THMB' ? previewPatches(inside) : 'unknown'
}

/** Canon's notes as a TIFF block of their own. @returns null when they are not made as expected */
export async function notesBlockPatches(block: ReadableBytes): Promise<Patch[] | null> {
  const head = await take(block, 0, 8)
  const mark = head.toString('latin1', 0, 4)
  const little = mark === 'II*\0'
  if (head.length < 8 || (!little && mark !== 'MM\0*')) return null
  const notes = { start: 8, end: block.size, directory: u32(head, 4, little), base: 0, little }
  return notes.directory < 8 ? null : notesPatches(block, notes, canonTags)
}

/** A block of nothing but the position: after its header a directory without entries is left. */
async function positionPatches(block: ReadableBytes): Promise<Patch[] | null> {
  return block.size > 8 ? [{ at: 8, length: block.size - 8, bytes: 0 }] : []
}

/** The JPEG in a box of a preview, which has none of the metadata of a file, but might. */
export async function previewPatches(inside: ReadableBytes): Promise<Patch[]> {
  const head = await take(inside, 0, previewHead)
  const at = head.indexOf(Buffer.from([0xff, 0xd8, 0xff]))
  return at < 0 ? [] : moved(await jpegPatches(part(inside, at, inside.size)), at)
}
