import { boxPatches } from './box-metadata.ts'
import {
  createBudget,
  BudgetExceeded,
  flattened,
  metered,
  overlay,
  type MetadataSource,
  type Patch,
  type ReadableBytes,
} from './bytes.ts'
import { pngPatches, webpPatches } from './chunk-metadata.ts'
import { isCameraRaw, contentKind, type ContentKind } from './content-kind.ts'
import { jpegPatches } from './jpeg-metadata.ts'
import { tiffFilePatches } from './tiff-file.ts'
import { xmpPatches } from './xmp-metadata.ts'

/** What to do with each kind of content; null from one of them: it cannot be cleaned. */
const finders: Readonly<Record<ContentKind, (source: MetadataSource) => Promise<Patch[] | null>>> =
  {
    jpeg: jpegPatches,
    png: pngPatches,
    webp: webpPatches,
    tiff: tiffFilePatches,
    boxes: boxPatches,
    xmp: xmpPatches,
    'camera-raw': async () => null,
  }

/** Kinds that do not always begin in the same way, by the media type of the file. */
const byType: Readonly<Record<string, ContentKind>> = {
  'application/rdf+xml': 'xmp',
  // QuickTime before it had a box for its type.
  'video/mp4': 'boxes',
  'video/quicktime': 'boxes',
  'audio/mp4': 'boxes',
}

/**
 * What has to be put over a picture or film before it leaves: nothing in it then tells where it was
 * made, with which device, or whose that is. Pixels, length, author, copyright, captions, colour
 * profile and orientation stay as they are. Metadata that cannot be read is blanked as a whole, but
 * where a picture would be lost with it.
 * What a file is, its first bytes say; its name may lie. The work is that of reading a few
 * kilobytes, but worth keeping for each version of a file.
 * @param type media type, which tells what its name promises
 * @param budget what the work may cost; it tells afterwards what it did cost
 * @returns patches in the order of the file, none over another; null for a file that cannot be
 *   cleaned and must not leave: those of cameras, and those that cost more than any camera's picture
 * @throws what the source throws
 */
export async function privateMetadata(
  source: ReadableBytes,
  type: string,
  budget = createBudget(),
): Promise<Patch[] | null> {
  const bare = type.split(';', 1)[0]!.trim().toLowerCase()
  if (isCameraRaw(bare)) return null
  const counted = metered(source, budget)
  const kind = (await contentKind(source)) ?? byType[bare] ?? null
  if (!kind) return []
  try {
    const patches = await finders[kind](counted)
    return patches && flattened(patches)
  } catch (error) {
    if (error instanceof BudgetExceeded) return null
    throw error
  }
}

/** A source that reads as if the patches were in it; its other functions stay. */
export function patched<Given extends ReadableBytes>(
  source: Given,
  patches: readonly Patch[],
): Given {
  if (patches.length === 0) return source
  return {
    ...source,
    async read(into: Buffer, position: number) {
      const read = await source.read(into, position)
      overlay(into.subarray(0, read), position, patches)
      return read
    },
  }
}

/** Bytes that are in memory. */
export const inMemory = (bytes: Buffer): ReadableBytes => ({
  size: bytes.length,
  read: async (into, position) => bytes.copy(into, 0, position),
})

/**
 * The bytes of a whole file without what {@link privateMetadata} finds.
 * @throws for a file that cannot be cleaned
 */
export async function withoutPrivateMetadata(bytes: Buffer, type: string): Promise<Buffer> {
  const patches = await privateMetadata(inMemory(bytes), type)
  if (!patches) throw new Error('The file cannot be cleaned.')
  if (patches.length === 0) return bytes
  const clean = Buffer.from(bytes)
  overlay(clean, 0, patches)
  return clean
}
