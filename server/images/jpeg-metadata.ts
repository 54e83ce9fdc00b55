import { moved, part, take, type MetadataSource, type Patch } from './bytes.ts'
import { tiffPatches } from './tiff-metadata.ts'
import { xmpPatches } from './xmp-metadata.ts'

const exif = 'Exif\0\0'
const xmp = 'http://ns.adobe.com/xap/1.0/\0'
const extendedXmp = 'http://ns.adobe.com/xmp/extension/\0'
const multiPicture = 'MPF\0'

/** The patches of one JPEG, and where other pictures of the same file begin. */
type Walked = { patches: Patch[]; others: number[] }

/**
 * What hides private metadata in a JPEG (ITU-T T.81, Annex B): in EXIF and XMP, also in those of the
 * previews that cameras append (CIPA DC-007).
 */
export async function jpegPatches(source: MetadataSource): Promise<Patch[]> {
  const patches: Patch[] = []
  const seen = new Set<number>()
  const waiting = [0]
  for (let start = waiting.shift(); start !== undefined; start = waiting.shift()) {
    if (seen.has(start)) continue
    seen.add(start)
    const walked = await walk(source, start)
    patches.push(...walked.patches)
    waiting.push(...walked.others)
  }
  return patches
}

/** Goes from segment to segment until the pixels begin. */
async function walk(source: MetadataSource, start: number): Promise<Walked> {
  const walked: Walked = { patches: [], others: [] }
  let at = start + 2
  if ((await take(source, start, 2)).toString('latin1') !== '\xff\xd8') return walked
  for (;;) {
    const head = await take(source, at, 4 + extendedXmp.length)
    const marker = head[1]
    if (head.length < 4 || head[0] !== 0xff || marker === 0xda || marker === 0xd9) break
    // Bytes of 0xFF may fill the room before a marker.
    if (marker === 0xff) {
      at += 1
      continue
    }
    const end = at + 2 + head.readUInt16BE(2)
    const name = head.toString('latin1', 4)
    if (marker === 0xe1)
      walked.patches.push(...(await applicationPatches(source, name, at + 4, end)))
    if (marker === 0xe2 && name.startsWith(multiPicture)) {
      walked.others.push(...(await otherPictures(source, at + 4 + multiPicture.length, end)))
    }
    at = end
  }
  return walked
}

/** @param at where the segment's own bytes begin, after marker and length */
async function applicationPatches(
  source: MetadataSource,
  name: string,
  at: number,
  end: number,
): Promise<Patch[]> {
  const blank = [{ at, length: Math.max(0, Math.min(end, source.size) - at), bytes: 0 }]
  if (name.startsWith(exif)) {
    const from = at + exif.length
    const found = await tiffPatches(part(source, from, end))
    return found ? moved(found, from) : blank
  }
  if (name.startsWith(xmp)) {
    const from = at + xmp.length
    return moved(await xmpPatches(part(source, from, end)), from)
  }
  // Its pieces are cut anywhere; nothing that has to stay is ever in them.
  return name.startsWith(extendedXmp) ? blank : []
}

/** Where the other pictures of a multi-picture file begin, by the index in its first one. */
async function otherPictures(source: MetadataSource, at: number, end: number): Promise<number[]> {
  const block = await take(source, at, end - at)
  const little = block.toString('latin1', 0, 4) === 'II*\0'
  const u16 = (offset: number) => (little ? block.readUInt16LE(offset) : block.readUInt16BE(offset))
  const u32 = (offset: number) => (little ? block.readUInt32LE(offset) : block.readUInt32BE(offset))
  try {
    const directory = u32(4)
    for (let index = 0; index < u16(directory); index += 1) {
      const entry = directory + 2 + 12 * index
      if (u16(entry) !== 0xb002) continue
      const [count, list] = [Math.min(u32(entry + 4), block.length) / 16, u32(entry + 8)]
      // The first is the picture itself and has the offset 0.
      return Array.from({ length: count }, (_, each) => u32(list + 16 * each + 8))
        .filter((offset) => offset > 0)
        .map((offset) => at + offset)
    }
    return []
  } catch (err) {
    if (err instanceof RangeError) return []
    throw err
  }
}
