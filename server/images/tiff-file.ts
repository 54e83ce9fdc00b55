import { moved, part, take, type MetadataSource, type Patch } from './bytes.ts'
import { jpegPatches } from './jpeg-metadata.ts'
import { tiffPatches } from './tiff-metadata.ts'
import { numbersOf, readTiff, type Directory, type Entry, type Tiff } from './tiff.ts'

const compression = 0x0103
const photometric = 0x0106

/** Tags that are only beside the pixels of a sensor, or hold a maker's own data. */
const sensorTags: ReadonlySet<number> = new Set([
  0x828d, // CFARepeatPatternDim
  0x828e, // CFAPattern
  0x8606, // LeafData
  0xc612, // DNGVersion
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

/**
 * What hides private metadata in a TIFF file: a picture, with the previews that are in it.
 * @returns null for what cannot be cleaned: files that cannot be read, and what a camera's sensor
 *   has written, whatever its name is
 */
export async function tiffFilePatches(source: MetadataSource): Promise<Patch[] | null> {
  const tiff = await readTiff(source)
  if (!tiff || (await isFromSensor(source, tiff))) return null
  const found = await tiffPatches(source, tiff)
  return found && [...found, ...(await previewPatches(source, tiff))]
}

async function isFromSensor(source: MetadataSource, { little, directories }: Tiff) {
  // Of Phase One, whose files begin like any TIFF, and of Canon.
  const mark = (await take(source, 8, 8)).toString('latin1')
  if (/^(?:IIII.waR|MMMMRaw|CR\x02)/s.test(mark)) return true
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

const entryOf = (directory: Directory, tag: number): Entry | undefined =>
  directory.entries.find((entry) => entry.tag === tag)

/** What hides private metadata in the previews, which are JPEGs of their own. */
async function previewPatches(source: MetadataSource, { little, directories }: Tiff) {
  const patches: Patch[] = []
  const pairs = directories
    .flatMap((directory) => previewTags.map((tags) => tags.map((tag) => entryOf(directory, tag))))
    .filter((pair): pair is [Entry, Entry] => pair.every(Boolean))
  for (const [place, length] of pairs) {
    const [at = 0] = await numbersOf(source, place, little)
    const [size = 0] = await numbersOf(source, length, little)
    patches.push(...moved(await jpegPatches(part(source, at, at + size)), at))
  }
  return patches
}
