import { creditOf } from '../images/credit.ts'
import { loadSharp, mostPixels } from '../images/sharp.ts'

/** The two sizes in which pictures are shown. */
const previews = {
  thumb: { width: 480, height: 960, quality: 74 },
  web: { width: 2048, height: 2048, quality: 82 },
} as const

/** The sizes by name. */
export type PreviewKind = keyof typeof previews

/** Named in the cache, so that a change of how previews are made makes them anew. */
export const recipeVersion = 1

/** How large a picture is when it stands upright; null when it is none. */
export async function sizeOf(path: string): Promise<{ width: number; height: number } | null> {
  const sharp = await loadSharp()
  const { autoOrient } = (await sharp(path, { limitInputPixels: mostPixels })
    .metadata()
    .catch(() => null)) ?? { autoOrient: null }
  return autoOrient && { width: autoOrient.width, height: autoOrient.height }
}

/**
 * Makes a preview: upright, in sRGB, never larger than the picture. Of what the camera wrote only
 * the names of author and copyright stay: no place, no serial numbers, no times.
 * @throws when the file is no whole picture
 */
export async function makePreview(path: string, kind: PreviewKind): Promise<Buffer> {
  const sharp = await loadSharp()
  const { width, height, quality } = previews[kind]
  const image = sharp(path, {
    failOn: 'error',
    sequentialRead: true,
    limitInputPixels: mostPixels,
  })
  const { exif } = await image.metadata()
  const sized = image
    .autoOrient()
    .resize({ width, height, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
  const credited = sized.withExif({ IFD0: await creditOf(exif) })
  const encoded =
    kind === 'thumb'
      ? credited.webp({ quality, effort: 3 })
      : credited.jpeg({ quality, mozjpeg: true })
  return encoded.toBuffer()
}
