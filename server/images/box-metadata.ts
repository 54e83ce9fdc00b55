import { boxes, freed, uuidOf, xmpUuid, type Box } from './boxes.ts'
import { moved, part, take, type Patch, type ReadableBytes } from './bytes.ts'
import { canonPatches, canonUuid } from './canon-boxes.ts'
import { readInfos, readPlaces } from './item-tables.ts'
import { tiffPatches } from './tiff-metadata.ts'
import { xmpPatches } from './xmp-metadata.ts'

/** Bytes of an item table that are read. */
const longestTable = 4 * 1024 * 1024

/**
 * What hides private metadata in AVIF, HEIC, MP4 and QuickTime files: EXIF and XMP of pictures, and
 * the place where a film was made.
 */
export async function boxPatches(source: ReadableBytes): Promise<Patch[]> {
  const patches: Patch[] = []
  for (const box of await boxes(source, 0, source.size)) {
    if (box.type === 'meta') patches.push(...(await itemPatches(source, box)))
    if (box.type === 'moov') patches.push(...(await filmPatches(source, box)))
    if (box.type === 'uuid') patches.push(...(await uuidPatches(source, box)))
  }
  return patches
}

async function uuidPatches(source: ReadableBytes, box: Box): Promise<Patch[]> {
  const uuid = await uuidOf(source, box)
  if (uuid === canonUuid) return (await canonPatches(source, box)) ?? freed(box)
  if (uuid !== xmpUuid) return []
  const from = box.start + 16
  return moved(await xmpPatches(part(source, from, box.end)), from)
}

/** EXIF and XMP items of a picture. */
async function itemPatches(source: ReadableBytes, meta: Box): Promise<Patch[]> {
  const inside = await boxes(source, meta.start + 4, meta.end)
  const table = async (type: string) => {
    const box = inside.find((each) => each.type === type)
    return box ? take(source, box.start, Math.min(box.end - box.start, longestTable)) : null
  }
  const [infos, places] = [await table('iinf'), await table('iloc')]
  if (!infos || !places) return []
  const items = readInfos(infos)
  const patches: Patch[] = []
  const stored = inside.find(({ type }) => type === 'idat')?.start ?? 0
  for (const { id, extents, inIdat } of readPlaces(places)) {
    const type = items.get(id)
    if (!type) continue
    const ranges = extents.map(([at, length]) => ({ at: at + (inIdat ? stored : 0), length }))
    const [only, ...rest] = ranges
    const found =
      only && rest.length === 0 ? await itemRange(source, only.at, only.length, type) : null
    patches.push(...(found ?? ranges.map((range) => ({ ...range, bytes: 0 }))))
  }
  return patches
}

async function itemRange(
  source: ReadableBytes,
  at: number,
  length: number,
  type: 'Exif' | 'mime',
): Promise<Patch[] | null> {
  if (type === 'mime') return moved(await xmpPatches(part(source, at, at + length)), at)
  // An Exif item begins with the distance to its TIFF header.
  const distance = await take(source, at, 4)
  const from = at + 4 + (distance.length === 4 ? distance.readUInt32BE() : 0)
  const found = await tiffPatches(part(source, from, at + length))
  return found && moved(found, from)
}

/** Names of a film's metadata that tell a place or a device. */
const isPrivate = (name: string) => /location|gps|serial/i.test(name)

/** The place where a film was made, and what cameras write about themselves. */
const privateBoxes: ReadonlySet<string> = new Set([
  '\xa9xyz',
  'loci',
  'CNTH', // Canon: a thumbnail with EXIF
  'NCDT', // Nikon
  'MVTG', // Fujifilm
  'CAME', // GoPro: its serial number
  'GPMF', // GoPro
])

/** Tracks and user data of a film that are looked into; what lies deeper becomes free space. */
const mostInside = 500

async function filmPatches(
  source: ReadableBytes,
  film: Box,
  left = { boxes: mostInside },
): Promise<Patch[]> {
  const patches: Patch[] = []
  for (const box of await boxes(source, film.start, film.end)) {
    if (box.type === 'trak' || box.type === 'udta') {
      left.boxes -= 1
      patches.push(...(left.boxes > 0 ? await filmPatches(source, box, left) : freed(box)))
    }
    if (box.type === 'meta') patches.push(...(await keyedPatches(source, box)))
    if (privateBoxes.has(box.type)) patches.push(...freed(box))
    if (box.type === 'XMP_') {
      patches.push(...moved(await xmpPatches(part(source, box.start, box.end)), box.start))
    }
    if (box.type === 'uuid') patches.push(...(await uuidPatches(source, box)))
  }
  return patches
}

/** Metadata by keys, as telephones write it (QuickTime File Format, Metadata). */
async function keyedPatches(source: ReadableBytes, meta: Box): Promise<Patch[]> {
  // QuickTime's box has no version before its content.
  const bare = (await take(source, meta.start + 4, 4)).toString('latin1') === 'hdlr'
  const inside = await boxes(source, meta.start + (bare ? 0 : 4), meta.end)
  const keys = inside.find(({ type }) => type === 'keys')
  const values = inside.find(({ type }) => type === 'ilst')
  if (!keys || !values) return []
  const wanted = new Set<number>()
  const names = await boxes(source, keys.start + 8, keys.end)
  for (const [index, { start, end }] of names.entries()) {
    const name = await take(source, start, Math.min(end - start, 200))
    if (isPrivate(name.toString('latin1'))) wanted.add(index + 1)
  }
  const items = await boxes(source, values.start, values.end)
  return items
    .filter(({ type }) => wanted.has(Buffer.from(type, 'latin1').readUInt32BE()))
    .flatMap(freed)
}
