import { boxPatches } from './box-metadata.ts'
import { boxes, freed, uuidOf, xmpUuid, type Box } from './boxes.ts'
import { moved, part, take, type Patch, type ReadableBytes } from './bytes.ts'
import { canonPatches, canonUuid, notesBlockPatches, previewPatches } from './canon-boxes.ts'
import { jpegPatches } from './jpeg-metadata.ts'
import { samplesOf, type Sample } from './samples.ts'
import { tiffPatches } from './tiff-metadata.ts'

const previewUuid = 'eaf42b5e1c984b88b9fbb7dc406e4d16'
/** The recipe of Canon's own software. */
const recipeUuid = '210f1687914911e4811100242131fce4'

/** Samples of all tracks; a burst has some dozens of pictures with a few tracks each. */
const mostSamples = 2_000
const mostBlocks = 64

/**
 * What hides private metadata in a CR3 (ISO/IEC 14496-12 with Canon's own boxes): in Canon's box, in
 * XMP and previews, and in the track of timed metadata, which repeats it.
 * @returns null for what is not made as expected
 */
export async function cr3Patches(source: ReadableBytes): Promise<Patch[] | null> {
  const top = await boxes(source, 0, source.size)
  const films = top.filter(({ type }) => type === 'moov')
  const [film] = films
  if (!film || films.length > 1 || !top.every(({ whole }) => whole)) return null
  const inside = await boxes(source, film.start, film.end)
  const patches: Patch[] = []
  let isCanon = false
  for (const box of inside.filter(({ type }) => type === 'uuid')) {
    if ((await uuidOf(source, box)) !== canonUuid) continue
    const found = await canonPatches(source, box)
    if (!found) return null
    patches.push(...found)
    isCanon = true
  }
  const tracks = await trackPatches(
    source,
    inside.filter(({ type }) => type === 'trak'),
  )
  if (!isCanon || !tracks) return null
  for (const box of top.filter(({ type }) => type === 'uuid')) {
    patches.push(...(await topPatches(source, box)))
  }
  return [...(await boxPatches(source)), ...patches, ...tracks]
}

async function topPatches(source: ReadableBytes, box: Box): Promise<Patch[]> {
  const uuid = await uuidOf(source, box)
  if (uuid === xmpUuid || uuid === recipeUuid) return []
  if (uuid !== previewUuid) return freed(box)
  return moved(await previewPatches(part(source, box.start + 16, box.end)), box.start + 16)
}

async function trackPatches(
  source: ReadableBytes,
  tracks: readonly Box[],
): Promise<Patch[] | null> {
  const patches: Patch[] = []
  let left = mostSamples
  for (const track of tracks) {
    const samples = await samplesOf(source, track, left)
    if (!samples) return null
    left -= samples.length
    for (const { type, at, length } of samples) {
      const found = await samplePatches(part(source, at, at + length), { type, at, length })
      if (!found) return null
      patches.push(...moved(found, at))
    }
  }
  return patches
}

/** Timed metadata are cleaned; a preview in full size is a JPEG; pixels stay. */
const samplePatches = (inside: ReadableBytes, { type, length }: Sample) =>
  type !== 'CTMD' ? jpegPatches(inside) : inside.size < length ? null : recordPatches(inside)

/** Records without metadata of the file: time, focal length, exposure. */
const plainRecords: ReadonlySet<number> = new Set([1, 3, 4, 5])
const blockRecords: ReadonlySet<number> = new Set([7, 8, 9])

/** One sample of Canon's timed metadata: records with their length and type. */
async function recordPatches(sample: ReadableBytes): Promise<Patch[] | null> {
  const patches: Patch[] = []
  let at = 0
  for (let records = 0; at + 12 <= sample.size; records += 1) {
    const head = await take(sample, at, 12)
    const [length, type] = [head.readUInt32LE(0), head.readUInt16LE(4)]
    if (length < 12 || at + length > sample.size || records >= mostBlocks) return null
    const from = at + 12
    if (blockRecords.has(type)) {
      const found = await blockPatches(part(sample, from, at + length))
      if (!found) return null
      patches.push(...moved(found, from))
    } else if (!plainRecords.has(type)) patches.push({ at: from, length: length - 12, bytes: 0 })
    at += length
  }
  return [...patches, { at, length: sample.size - at, bytes: 0 }]
}

/** The TIFF blocks of a record, each with its length and the tag that leads to it in other files. */
async function blockPatches(record: ReadableBytes): Promise<Patch[] | null> {
  const patches: Patch[] = []
  let at = 0
  for (let blocks = 0; at + 8 <= record.size; blocks += 1) {
    const head = await take(record, at, 8)
    const [length, tag] = [head.readUInt32LE(0), head.readUInt32LE(4)]
    if (length < 8 || at + length > record.size || blocks >= mostBlocks) return null
    const block = part(record, at + 8, at + length)
    const found =
      tag === 0x927c
        ? await notesBlockPatches(block)
        : tag === 0x8769
          ? await tiffPatches(block)
          : null
    if (!found) return null
    patches.push(...moved(found, at + 8))
    at += length
  }
  return [...patches, { at, length: record.size - at, bytes: 0 }]
}
