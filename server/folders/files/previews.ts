import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import { failure } from '#shared/failures.ts'
import { createDiskCache } from '../../state/disk-cache.ts'
import { createFairQueue } from '../../http/limits/fair-queue.ts'
import { realFile, versionOf } from '../../transfers/disk.ts'
import { creditOf, creditXmp } from '../../images/credit.ts'
import { loadSharp, maxPixels } from '../../images/sharp.ts'
import { watermarkTile } from '../../images/watermark.ts'
import type { StoredFile } from '../schema.ts'
import { captionIn } from './captions.ts'

/** Makes previews. */
export type Previews = ReturnType<typeof createPreviews>

/** A preview that is there or can be made. */
export type Preview = {
  /** Strong, with its quotes. */
  etag: string
  type: string
  /** From the disk, or null when it has to be made. */
  cached(): Promise<Buffer | null>
  /**
   * Renders it once it is this client's turn.
   * @throws too-many and unavailable when too many wait already; missing when it isn't a picture
   */
  make(client: string): Promise<Buffer>
}

/** Bytes of previews on disk, over all folders. */
const maxPreviewBytes = 2 * 1024 * 1024 * 1024
const maxPreviews = 50_000

/** Previews that are made at once, that wait for one client and in all; a page asks for 120. */
const turns = { parallel: 2, each: 250, waiting: 1000 }

/**
 * Previews of photos and video posters; equal requests share the work.
 * @param dir of the cache
 */
export function createPreviews({ dir, log }: { dir: string; log: Logger }) {
  const cache = createDiskCache({
    dir,
    maxBytes: maxPreviewBytes,
    maxFiles: maxPreviews,
    log,
  })
  const queue = createFairQueue(turns)
  const making = new Map<string, Promise<Buffer>>()

  /**
   * @param watermark the words over the picture; null for none
   * @returns null when the file has no pixels, or is not there
   */
  return async (
    root: string,
    file: StoredFile,
    { kind, watermark }: { kind: PreviewKind; watermark: string | null },
  ): Promise<Preview | null> => {
    const path = file.kind === 'image' ? file.path : file.poster
    const version = path === null ? null : await versionOf(root, path)
    if (path === null || version === null) return null
    const recipe = [recipeVersion, root, path, version, kind]
    const key = JSON.stringify(watermark === null ? recipe : [...recipe, watermark])
    const hash = createHash('sha256').update(key).digest('hex').slice(0, 40)
    const { format } = previews[kind]
    const name = `${hash}.${format === 'webp' ? 'webp' : 'jpg'}`
    const work = async () => {
      const real = await realFile(root, path)
      if (real === null) throw failure('missing')
      const made = await makePreview(real, kind, watermark).catch((err: unknown) => {
        log.warn({ event: 'folder.picture', file: file.id, err }, 'image not generated')
        throw failure('missing')
      })
      await cache.put(name, made)
      return made
    }
    return {
      etag: `"${hash}"`,
      type: `image/${format}`,
      cached: () => cache.get(name),
      make(client) {
        let running = making.get(name)
        if (!running) {
          running = queue(client, work).finally(() => making.delete(name))
          making.set(name, running)
        }
        return running
      },
    }
  }
}

/** The sizes in which pictures are shown; `cover` is for phones, on which a gallery begins with it. */
const previews = {
  thumb: { width: 480, height: 960, quality: 74, format: 'webp' },
  cover: { width: 828, height: 1656, quality: 60, format: 'webp' },
  web: { width: 2048, height: 2048, quality: 82, format: 'jpeg' },
} as const

/** The sizes by name. */
export type PreviewKind = keyof typeof previews

/** Named in the cache, so a change of how previews are made makes them again. */
export const recipeVersion = 2

/**
 * How large a picture is when it is upright, and the photographer's caption, empty for none; null
 * when it isn't a picture.
 */
export async function readPicture(
  path: string,
): Promise<{ width: number; height: number; caption: string } | null> {
  const sharp = await loadSharp()
  const metadata = await sharp(path, { limitInputPixels: maxPixels })
    .metadata()
    .catch(() => null)
  if (!metadata?.autoOrient) return null
  const { width, height } = metadata.autoOrient
  return { width, height, caption: captionIn(metadata) }
}

/**
 * Makes a preview: upright, in sRGB, never larger than the picture. Of what the camera wrote only
 * the names of author and copyright stay: no place, no serial numbers, no times.
 * @param watermark the words over it; null for none
 * @throws when the file isn't a whole picture
 */
export async function makePreview(
  path: string,
  kind: PreviewKind,
  watermark: string | null,
): Promise<Buffer> {
  const sharp = await loadSharp()
  const { width, height, quality, format } = previews[kind]
  const image = sharp(path, {
    failOn: 'error',
    sequentialRead: true,
    limitInputPixels: maxPixels,
  })
  const metadata = await image.metadata()
  const { autoOrient } = metadata
  const sized = image
    .autoOrient()
    .resize({ width, height, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
  if (watermark !== null) {
    const scale = Math.min(1, width / autoOrient.width, height / autoOrient.height)
    const shown = {
      width: Math.max(1, Math.floor(autoOrient.width * scale)),
      height: Math.max(1, Math.floor(autoOrient.height * scale)),
    }
    sized.composite([{ input: await watermarkTile(watermark, shown), tile: true }])
  }
  const credit = await creditOf(metadata)
  const xmp = creditXmp(credit)
  if (xmp !== null) sized.withXmp(xmp)
  const credited = sized.withExif({ IFD0: credit })
  const encoded =
    format === 'webp'
      ? credited.webp({ quality, effort: 3 })
      : credited.jpeg({ quality, mozjpeg: true })
  return encoded.toBuffer()
}
