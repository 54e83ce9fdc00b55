import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { createDiskCache } from '../disk-cache.ts'
import { createFairQueue } from '../http/fair-queue.ts'
import { needsSize, presetFor, type Transform, type ImageRequest } from './asset-request.ts'
import type { Original } from './reader.ts'
import { recipeVersion, sizeOf, transform } from './transform.ts'
import { refuse } from './wire.ts'

/** A picture to be made of another; its name tells everything that it is made from. */
export type Drawing = {
  readonly name: string
  readonly original: Original
  readonly preset: Transform
  readonly focal: readonly [number, number]
}

/** A picture that was made: on disk, or in memory where the disk takes nothing. */
export type Made = { path: string } | { bytes: Buffer }

/**
 * Pictures in the sizes and formats of the site. What was made once is on disk; one that is not
 * costs a core for a moment, so few are made at a time, and clients take turns.
 */
export type MadePictures = {
  /** The preset for a request; the size of the picture is looked up where it matters. */
  preset(id: string, original: Original, wanted: ImageRequest): Promise<Transform>
  find(drawing: Drawing): Promise<Made | null>
  /**
   * Makes a picture and keeps it, unless another request has made it meanwhile.
   * @param client whose turn it is
   * @param signal takes it out of the line
   * @throws a refusal when the original is damaged
   */
  make(drawing: Drawing, client: string, signal: AbortSignal): Promise<Made>
}

/** Pictures that were made, in bytes on disk. */
const mostMadeBytes = 512 * 1024 * 1024
const mostMadeFiles = 20_000
/** Two cores of pictures at a time; a page asks for all of its own at once. */
const turns = { parallel: 2, each: 64, waiting: 600 }

/** Opens the pictures that were made. */
export function createMadePictures({
  dataDir,
  log,
}: {
  dataDir: string
  log: Pick<Logger, 'warn'>
}): MadePictures {
  const cache = createDiskCache({
    dir: join(dataDir, 'cache/assets'),
    mostBytes: mostMadeBytes,
    mostFiles: mostMadeFiles,
    log,
  })
  const queue = createFairQueue(turns)
  const making = new Map<string, Promise<Made>>()
  const sizes = new LRUCache<string, { width: number; height: number }>({ max: 1_000 })

  async function find({ name }: Drawing): Promise<Made | null> {
    const path = await cache.path(name)
    return path === null ? null : { path }
  }

  async function makeOnce(drawing: Drawing, source: string): Promise<Made> {
    const { name } = drawing
    const found = making.get(name) ?? (await find(drawing))
    if (found) return found
    const running = draw(drawing, source).finally(() => making.delete(name))
    making.set(name, running)
    return running
  }

  async function draw(drawing: Drawing, source: string): Promise<Made> {
    const { name, preset, focal } = drawing
    const bytes = await transform(source, preset, focal).catch(damaged(name))
    const kept = await cache.put(name, bytes)
    return (kept ? await find(drawing) : null) ?? { bytes }
  }

  const damaged = (asset: string) => (err: unknown) => {
    log.warn({ asset, err }, 'picture not made')
    throw refuse('BAD_SOURCE', 'The picture is damaged.')
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
    async make(drawing, client, signal) {
      const source = await drawing.original.path()
      return queue(client, () => makeOnce(drawing, source), signal)
    },
  }
}

/** What is to be made of an original. @param focal what stays in the middle, as fractions */
export function drawingOf(
  id: string,
  original: Original,
  preset: Transform,
  focal: Drawing['focal'],
): Drawing {
  const { version } = original
  const key = createHash('sha256')
    .update(JSON.stringify([recipeVersion, id, version, preset, focal]))
    .digest('hex')
  return { name: `${key.slice(0, 32)}.${preset.format}`, original, preset, focal }
}
