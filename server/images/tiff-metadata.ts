import { moved, part, type MetadataSource, type Patch } from './bytes.ts'
import {
  numbersOf,
  readDirectory,
  readTiff,
  withoutEntries,
  type Directory,
  type Entry,
  type Order,
  type Tiff,
} from './tiff.ts'
import { xmpPatches } from './xmp-metadata.ts'

const gpsDirectory = 0x8825
const xmp = 0x02bc

/** Tags that tell whose camera it was, or hold makers' own data, in which serial numbers are. */
const privateTags: ReadonlySet<number> = new Set([
  gpsDirectory,
  0x013c, // HostComputer
  0x927c, // MakerNote
  0xa420, // ImageUniqueID
  0xa430, // CameraOwnerName
  0xa431, // BodySerialNumber
  0xa435, // LensSerialNumber
  0xc62f, // CameraSerialNumber (DNG)
  0xc634, // DNGPrivateData
  0xc65d, // RawDataUniqueID
  0xc68c, // OriginalRawFileData (DNG): the whole file that it was made from
  0xfde8, // OwnerName (Adobe)
  0xfde9, // SerialNumber (Adobe)
])

/**
 * What hides the place, serial numbers and owner in a TIFF block, which is what EXIF is, or in a
 * whole TIFF file (TIFF 6.0; Exif 3.0). Entries leave their directory, which closes up; their values
 * become zeros. Orientation, author, copyright, dates and settings stay.
 * @param read the same block where it has been read already
 * @returns null for what cannot be read as TIFF
 */
export async function tiffPatches(source: MetadataSource, read?: Tiff): Promise<Patch[] | null> {
  const tiff = read ?? (await readTiff(source))
  if (!tiff) return null
  const values: Patch[] = []
  const rewritten: Patch[] = []
  for (const directory of tiff.directories) {
    const found = await directoryPatches(source, tiff.little, directory)
    if (!found) return null
    values.push(...found.values)
    rewritten.push(...found.rewritten)
  }
  // Values that claim to lie over a directory must not undo it.
  return [...values, ...rewritten]
}

async function directoryPatches(
  source: MetadataSource,
  little: Order,
  directory: Directory,
): Promise<{ values: Patch[]; rewritten: Patch[] } | null> {
  const values: Patch[] = []
  const stay: Entry[] = []
  for (const entry of directory.entries) {
    const { tag, at, size } = entry
    if (tag === xmp && size > 4) {
      values.push(...moved(await xmpPatches(part(source, at, at + size)), at))
    }
    if (!privateTags.has(tag)) stay.push(entry)
    else if (tag === gpsDirectory) {
      const erased = await eraseDirectory(source, little, entry)
      if (!erased) return null
      values.push(...erased)
    } else values.push(...blank(source, entry))
  }
  if (stay.length === directory.entries.length) return { values, rewritten: [] }
  const bytes = withoutEntries(directory, stay, little).subarray(0, source.size - directory.offset)
  return { values, rewritten: [{ at: directory.offset, length: bytes.length, bytes }] }
}

const blank = (source: MetadataSource, { at, size }: Entry): Patch[] => {
  const length = Math.min(size, source.size - at)
  return size > 4 && length > 0 ? [{ at, length, bytes: 0 }] : []
}

/** @returns null when the entry leads to nothing that can be read */
async function eraseDirectory(
  source: MetadataSource,
  little: Order,
  entry: Entry,
): Promise<Patch[] | null> {
  const [offset = 0] = await numbersOf(source, entry, little)
  const directory = await readDirectory(source, little, offset)
  if (!directory) return null
  const values = directory.entries.flatMap((each) => blank(source, each))
  return [...values, { at: offset, length: directory.length, bytes: 0 }]
}
