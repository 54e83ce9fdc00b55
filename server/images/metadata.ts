import { boxPatches } from './box-metadata.ts'
import { overlay, type Patch, type ReadableBytes } from './bytes.ts'
import { isCameraRaw } from './camera-raw.ts'
import { pngPatches, webpPatches } from './chunk-metadata.ts'
import { contentKind, type ContentKind } from './content-kind.ts'
import { cr3Patches } from './cr3-metadata.ts'
import { jpegPatches } from './jpeg-metadata.ts'
import { rafPatches } from './raf-metadata.ts'
import { tiffFilePatches } from './raw-tiff.ts'
import { xmpPatches } from './xmp-metadata.ts'

type Source = ReadableBytes

/** What to do with each kind of content; null from one of them: it cannot be cleaned. */
const finders: Readonly<
  Record<ContentKind, (source: Source, isRaw: boolean) => Promise<Patch[] | null>>
> = {
  jpeg: jpegPatches,
  png: pngPatches,
  webp: webpPatches,
  tiff: tiffFilePatches,
  boxes: boxPatches,
  cr3: cr3Patches,
  raf: rafPatches,
  xmp: xmpPatches,
  'other-raw': async () => null,
}

/** Kinds that a file may be that is said to be a camera's own. */
const ofCameras: ReadonlySet<ContentKind> = new Set(['tiff', 'cr3', 'raf'])

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
 * profile and orientation stay as they are; a raw file can be developed. Metadata that cannot be
 * read is blanked as a whole, but where a picture would be lost with it.
 * What a file is, its first bytes say; its name may lie. The work is that of reading a few
 * kilobytes, but worth keeping for each version of a file.
 * @param type media type, which tells what its name promises
 * @returns null for a file that cannot be cleaned and must not leave: those of cameras whose serial
 *   numbers are part of what the picture is developed from, and those that are not what they say
 * @throws what the source throws
 */
export async function privateMetadata(source: Source, type: string): Promise<Patch[] | null> {
  const bare = type.split(';', 1)[0]!.trim().toLowerCase()
  const isRaw = isCameraRaw(bare)
  const kind = (await contentKind(source)) ?? byType[bare] ?? null
  if (isRaw && (kind === null || !ofCameras.has(kind))) return null
  return kind ? finders[kind](source, isRaw) : []
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

/**
 * The bytes of a whole file without what {@link privateMetadata} finds.
 * @throws for a file that cannot be cleaned
 */
export async function withoutPrivateMetadata(bytes: Buffer, type: string): Promise<Buffer> {
  const source: Source = {
    size: bytes.length,
    read: async (into, position) => bytes.copy(into, 0, position),
  }
  const patches = await privateMetadata(source, type)
  if (!patches) throw new Error('The file cannot be cleaned.')
  if (patches.length === 0) return bytes
  const clean = Buffer.from(bytes)
  overlay(clean, 0, patches)
  return clean
}
