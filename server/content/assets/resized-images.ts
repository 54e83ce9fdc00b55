import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { createDiskCache } from '../../state/disk-cache.ts'
import { createFairQueue } from '../../http/limits/fair-queue.ts'
import { refuse } from '../read-api/wire.ts'
import type { Original } from '../reader.ts'
import type { Content } from '../source.ts'
import { needsSize, presetFor, type Transform, type ImageRequest } from './image-request.ts'
import { recipeVersion, sizeOf, transform } from './transform.ts'

/** A variant of a picture; its name is a hash of everything it depends on. */
export type ImageVariant = {
  readonly name: string
  readonly original: Original
  readonly preset: Transform
  readonly focal: readonly [number, number]
}

/** A resized picture: on disk, or in memory if the disk is full. */
export type ResizedImage = { path: string } | { bytes: Buffer }

/**
 * Pictures in the site's sizes and formats, cached on disk. Making one takes a core for a moment, so
 * only a few are made at a time and clients take turns.
 */
export type ResizedImages = {
  /** The preset for a request. */
  preset(id: string, original: Original, wanted: ImageRequest): Promise<Transform>
  find(variant: ImageVariant): Promise<ResizedImage | null>
  /**
   * Makes a picture and caches it, unless another request has just done so.
   * @param client for fair queueing
   * @param signal removes it from the queue
   * @throws a refusal if the original is damaged
   */
  make(variant: ImageVariant, client: string, signal: AbortSignal): Promise<ResizedImage>
  /**
   * Caches a picture that someone else makes.
   * @param write writes it to the path that it gets
   * @throws what `write` throws, and when the disk cannot be written
   */
  store(variant: ImageVariant, write: (path: string) => Promise<void>): Promise<void>
}

/** Limits of the disk cache. */
const maxMadeBytes = 512 * 1024 * 1024
const maxMadeFiles = 20_000
/**
 * Two at a time; a single core makes them no sooner together, and pages would wait longer. `each` is
 * generous because a page requests all its pictures at once.
 */
const turns = { parallel: Math.min(2, availableParallelism()), each: 64, waiting: 600 }

export function createResizedImages({
  dataDir,
  log,
}: {
  dataDir: string
  log: Pick<Logger, 'warn'>
}): ResizedImages {
  const cache = createDiskCache({
    dir: join(dataDir, 'cache/assets'),
    maxBytes: maxMadeBytes,
    maxFiles: maxMadeFiles,
    log,
  })
  const queue = createFairQueue(turns)
  const making = new Map<string, Promise<ResizedImage>>()
  const sizes = new LRUCache<string, { width: number; height: number }>({ max: 1_000 })

  async function find({ name }: ImageVariant): Promise<ResizedImage | null> {
    const path = await cache.path(name)
    return path === null ? null : { path }
  }

  async function makeOnce(variant: ImageVariant, source: string): Promise<ResizedImage> {
    const { name } = variant
    const found = making.get(name) ?? (await find(variant))
    if (found) return found
    const running = draw(variant, source).finally(() => making.delete(name))
    making.set(name, running)
    return running
  }

  async function draw(variant: ImageVariant, source: string): Promise<ResizedImage> {
    const { name, preset, focal } = variant
    const bytes = await transform(source, preset, focal).catch(damaged(name))
    const kept = await cache.put(name, bytes)
    return (kept ? await find(variant) : null) ?? { bytes }
  }

  const damaged = (asset: string) => (err: unknown) => {
    log.warn({ asset, err }, 'image not generated')
    throw refuse('BAD_SOURCE', 'The image is damaged.')
  }

  return {
    async preset(id, original, wanted) {
      const { type, version } = original
      let size = null
      if (needsSize(wanted)) {
        const key = `${id}/${version}`
        size = sizes.get(key) ?? (await sizeOf(await original.path()).catch(damaged(id)))
        sizes.set(key, size)
      }
      return presetFor(wanted, type, size)
    },
    find,
    async make(variant, client, signal) {
      const source = await variant.original.path()
      return queue(client, () => makeOnce(variant, source), signal)
    },
    store: ({ name }, write) =>
      cache.store(async (path) => {
        await write(path)
        return name
      }),
  }
}

const middle = [0.5, 0.5] as const

/** Finds out which variant of a picture a request is for. @throws a refusal if it is damaged */
export async function requestedVariant(
  { content, pictures }: { content: Pick<Content, 'picture'>; pictures: ResizedImages },
  id: string,
  original: Original,
  wanted: ImageRequest,
): Promise<ImageVariant> {
  const preset = await pictures.preset(id, original, wanted)
  return variantOf(id, original, preset, (await content.picture(id))?.focal ?? middle)
}

/** Describes a variant of an original. @param focal the focal point as fractions */
function variantOf(
  id: string,
  original: Original,
  preset: Transform,
  focal: ImageVariant['focal'],
): ImageVariant {
  const { version } = original
  const key = createHash('sha256')
    .update(JSON.stringify([recipeVersion, id, version, preset, focal]))
    .digest('hex')
  return { name: `${key.slice(0, 32)}.${preset.format}`, original, preset, focal }
}
