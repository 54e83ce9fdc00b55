import { moved, part, take, type Patch, type ReadableBytes } from './bytes.ts'
import { jpegPatches } from './jpeg-metadata.ts'
import { canonNotes, pentaxNotes } from './makers-notes.ts'
import { tiffPatches, type Special } from './tiff-metadata.ts'
import {
  numbersOf,
  readDirectory,
  readTiff,
  textOf,
  u32,
  type Directory,
  type Entry,
  type Order,
  type Tiff,
} from './tiff.ts'

const make = 0x010f
const model = 0x0110
const compression = 0x0103
const photometric = 0x0106
const dngVersion = 0xc612
/** DNGPrivateData; of Sony's files SR2Private, which their white balance is in. */
const privateData = 0xc634

/** Tags that stand only beside the pixels of a sensor, or hold a maker's own data. */
const sensorTags: ReadonlySet<number> = new Set([
  0x828d, // CFARepeatPatternDim
  0x828e, // CFAPattern
  0x8606, // LeafData
  0xc640, // CR2Slice
  0xfe00, // KodakIFD
  0xf000, // FujiIFD
])

/** Colour filters, and pixels of a sensor that are one colour each no more. */
const sensorPixels: ReadonlySet<number> = new Set([32_803, 34_892])
/** Ways to pack pixels of Sony, Nikon, Samsung, Kodak and Pentax. */
const sensorPacking: ReadonlySet<number> = new Set([
  32_767, 32_769, 32_770, 32_772, 34_713, 65_000, 65_535,
])

type RawKind = 'dng' | 'cr2' | 'arw' | 'pef' | 'other'

/** What is cleaned of each kind that can be; all others need their notes as they are. */
const specials: Readonly<Record<Exclude<RawKind, 'other'>, (source: ReadableBytes) => Special>> = {
  dng: () => ({}),
  arw: () => ({ kept: new Set([privateData]) }),
  cr2: (source) => ({ notes: (entry, little) => canonNotes(source, entry, little) }),
  pef: (source) => ({ notes: (entry, little) => pentaxNotes(source, entry, little) }),
}

/**
 * What hides private metadata in a TIFF file: a picture, or what a camera has written. Which of them
 * it is, its directories say, whatever its name is.
 * @param isRaw whether it is said to be a camera's; then it has to look like that
 * @returns null for what cannot be cleaned: files that cannot be read, and those of cameras whose
 *   serial numbers cannot be told from what their pictures are developed from
 */
export async function tiffFilePatches(
  source: ReadableBytes,
  isRaw: boolean,
): Promise<Patch[] | null> {
  const tiff = await readTiff(source)
  if (!tiff) return null
  const kind = await kindOf(source, tiff)
  if (kind === 'other' || (kind === null && isRaw)) return null
  const found = await tiffPatches(source, kind ? specials[kind](source) : {}, tiff)
  return found && [...found, ...(await previewPatches(source, tiff))]
}

/** The kind of a camera's file; null for a picture. */
async function kindOf(source: ReadableBytes, tiff: Tiff): Promise<RawKind | null> {
  const { little, directories } = tiff
  const [first] = directories
  const mark = (await take(source, 8, 8)).toString('latin1')
  // Phase One's files begin like any TIFF.
  if (/^(?:IIII.waR|MMMMRaw)/s.test(mark)) return 'other'
  const named = (tag: number) => {
    const entry = entryOf(first, tag)
    return entry ? textOf(source, entry) : ''
  }
  const maker = (await named(make)).toUpperCase()
  if (mark.startsWith('CR\x02') && maker.startsWith('CANON')) return 'cr2'
  if (entryOf(first, dngVersion)) return 'dng'
  if (!(await isFromSensor(source, tiff))) return null
  if (maker.startsWith('SONY')) {
    // The first of them keeps a whole file of the older kind in its private data.
    const isOld = (await named(model)).startsWith('DSLR-A100')
    return !isOld && (await hasSr2(source, first, little)) ? 'arw' : 'other'
  }
  return /^(?:PENTAX|ASAHI|RICOH)/.test(maker) ? 'pef' : 'other'
}

const entryOf = (directory: Directory | undefined, tag: number): Entry | undefined =>
  directory?.entries.find((entry) => entry.tag === tag)

/** Whether Sony's private data are the directory that they should be, which four bytes lead to. */
async function hasSr2(source: ReadableBytes, first: Directory | undefined, little: Order) {
  const entry = entryOf(first, privateData)
  if (entry?.size !== 4) return false
  const found = await readDirectory(source, little, u32(entry.raw, 8, little))
  return found !== null && found.entries.length > 0
}

async function isFromSensor(source: ReadableBytes, { little, directories }: Tiff) {
  for (const { entries } of directories) {
    for (const entry of entries) {
      if (sensorTags.has(entry.tag)) return true
      const known =
        entry.tag === photometric ? sensorPixels : entry.tag === compression ? sensorPacking : null
      const [value = 0] = known ? await numbersOf(source, entry, little) : []
      if (known?.has(value)) return true
    }
  }
  return false
}

/** Places and lengths of pixels that may be a JPEG: JPEGInterchangeFormat, StripOffsets. */
const previewTags = [
  [0x0201, 0x0202],
  [0x0111, 0x0117],
] as const
const mostPreviews = 32

/** What hides private metadata in the previews, which are JPEGs of their own. */
async function previewPatches(source: ReadableBytes, { little, directories }: Tiff) {
  const patches: Patch[] = []
  const pairs = directories
    .flatMap((directory) => previewTags.map((tags) => tags.map((tag) => entryOf(directory, tag))))
    .filter((pair): pair is [Entry, Entry] => pair.every(Boolean))
  for (const [place, length] of pairs.slice(0, mostPreviews)) {
    const [at = 0] = await numbersOf(source, place, little)
    const [size = 0] = await numbersOf(source, length, little)
    patches.push(...moved(await jpegPatches(part(source, at, at + size)), at))
  }
  return patches
}
