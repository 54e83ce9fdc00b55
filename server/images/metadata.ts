import { boxPatches } from './box-metadata.ts'
import { overlay, type Patch, type ReadableBytes } from './bytes.ts'
import { pngPatches, webpPatches } from './chunk-metadata.ts'
import { jpegPatches } from './jpeg-metadata.ts'
import { makersNotes, tiffPatches } from './tiff-metadata.ts'

/** Raw files are TIFF; without their makers' notes they could not be developed. */
const rawPatches = async (source: ReadableBytes) => (await tiffPatches(source, makersNotes)) ?? []

/** How to find what is private, by media type; what is not here has no such metadata. */
const finders: Readonly<Record<string, (source: ReadableBytes) => Promise<Patch[]>>> = {
  'image/jpeg': jpegPatches,
  'image/png': pngPatches,
  'image/webp': webpPatches,
  'image/avif': boxPatches,
  'image/heic': boxPatches,
  'image/heif': boxPatches,
  'image/tiff': async (source) => (await tiffPatches(source)) ?? [],
  'image/x-adobe-dng': rawPatches,
  'image/x-canon-cr2': rawPatches,
  'image/x-nikon-nef': rawPatches,
  'image/x-sony-arw': rawPatches,
  'image/x-pentax-pef': rawPatches,
  'image/x-samsung-srw': rawPatches,
  'video/mp4': boxPatches,
  'video/quicktime': boxPatches,
  'audio/mp4': boxPatches,
}

/**
 * What has to be put over a picture or film before it leaves: nothing in it then tells where it was
 * made, with which device, or whose that is. Pixels, length, author, copyright, captions, colour
 * profile and orientation stay as they are. Metadata that cannot be read is blanked as a whole.
 * The work is that of reading a few kilobytes, but worth keeping for each version of a file.
 * @param type media type; without a known one there is nothing to do
 * @throws what the source throws
 */
export async function privateMetadata(source: ReadableBytes, type: string): Promise<Patch[]> {
  const [bare = ''] = type.split(';')
  return (await finders[bare.trim().toLowerCase()]?.(source)) ?? []
}

/** A source that reads as if the patches were in it; its other functions stay. */
export function patched<Source extends ReadableBytes>(
  source: Source,
  patches: readonly Patch[],
): Source {
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

/** The bytes of a whole file without what {@link privateMetadata} finds. */
export async function withoutPrivateMetadata(bytes: Buffer, type: string): Promise<Buffer> {
  const source: ReadableBytes = {
    size: bytes.length,
    read: async (into, position) => bytes.copy(into, 0, position),
  }
  const patches = await privateMetadata(source, type)
  if (patches.length === 0) return bytes
  const clean = Buffer.from(bytes)
  overlay(clean, 0, patches)
  return clean
}
