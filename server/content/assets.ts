import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { Router, type Request, type RequestHandler, type Response } from 'express'
import { ipKeyGenerator } from 'express-rate-limit'
import { LRUCache } from 'lru-cache'
import { heldBack } from '#shared/held-back.ts'
import type { Platform } from '../feature.ts'
import { createFairQueue } from '../http/fair-queue.ts'
import type { GetLimit } from '../http/limits.ts'
import { requestContextOf } from '../http/request-context.ts'
import { sendFile } from '../http/send-file.ts'
import type { Patch, ReadableBytes } from '../images/bytes.ts'
import { privateMetadata } from '../images/metadata.ts'
import {
  formatTypes,
  needsSize,
  presetFor,
  readWanted,
  type Transform,
  type Wanted,
} from './asset-request.ts'
import { createDiskCache } from '../disk-cache.ts'
import { endingOf, isRaster } from './media-types.ts'
import type { Original } from './reader.ts'
import { recipe, sizeOf, transform } from './transform.ts'
import { isKnown, query, refuse, wireErrors } from './wire.ts'

/** Pictures that were made, on disk. */
const ceiling = 512 * 1024 * 1024
/** Two cores of pictures at a time; a page asks for all of its own at once. */
const turns = { parallel: 2, each: 64, waiting: 600 }

type Focal = readonly [number, number]
const middle: Focal = [0.5, 0.5]

const forever = 'public, max-age=31536000, immutable'
const forNow = 'public, max-age=86400, stale-while-revalidate=604800'

/** A picture that was made: on disk, or in memory where the disk takes nothing. */
type Made = { path: string } | { bytes: Buffer }

/**
 * `GET /assets/{id}`: files of the content service, without what a camera tells of its place and
 * owner; pictures in the sizes and formats of the site (docs/contract.md, Content service). What was
 * made once is on disk; a size that is not costs a core for a moment, so few are made at a time,
 * clients take turns, and only those count against a client's limit.
 */
export function assetFileRoutes(
  { config, content, log }: Pick<Platform, 'config' | 'content' | 'log'>,
  limit: GetLimit,
): Router {
  const cache = createDiskCache({ dir: join(config.dataDir, 'cache/assets'), ceiling, log })
  const queue = createFairQueue(turns)
  const making = new Map<string, Promise<Made>>()
  const sizes = new LRUCache<string, { width: number; height: number }>({ max: 1_000 })
  const hidden = new LRUCache<string, readonly Patch[]>({
    max: 1_000,
    maxSize: 16 * 1024 * 1024,
    sizeCalculation: sizeOfPatches,
  })

  async function findMade(name: string): Promise<Made | null> {
    const path = await cache.path(name)
    return path === null ? null : { path }
  }

  /** Makes a picture and keeps it, unless somebody else's turn came first. */
  async function make(
    name: string,
    source: string,
    wanted: Transform,
    focal: Focal,
  ): Promise<Made> {
    const found = making.get(name) ?? (await findMade(name))
    if (found) return found
    const running = draw(name, source, wanted, focal).finally(() => making.delete(name))
    making.set(name, running)
    return running
  }

  async function draw(
    name: string,
    source: string,
    wanted: Transform,
    focal: Focal,
  ): Promise<Made> {
    const bytes = await transform(source, wanted, focal).catch(damaged(name))
    const kept = await cache.put(name, bytes)
    return (kept ? await findMade(name) : null) ?? { bytes }
  }

  const damaged = (asset: string) => (err: unknown) => {
    log.warn({ asset, err }, 'picture cannot be made')
    throw refuse('BAD_SOURCE', 'The picture is damaged.')
  }

  /** The preset for a request; the size of the picture is looked up where it matters. */
  async function chosen(id: string, original: Original, wanted: Wanted): Promise<Transform> {
    const { type, version } = original
    let size = null
    if (needsSize(wanted)) {
      const key = `${id}/${version}`
      size = sizes.get(key) ?? (await sizeOf(await original.path()).catch(damaged(id)))
      sizes.set(key, size)
    }
    return presetFor(wanted, type, size)
  }

  async function answer(request: Request<{ id: string }>, response: Response): Promise<void> {
    const { id } = request.params
    const parameters = query(request)
    const wanted = readWanted(parameters, request.get('accept'))
    const client = ipKeyGenerator(requestContextOf(response).address, 56)
    const original = /^[\w-]{1,80}$/.test(id) ? await content.asset(id, client) : null
    if (!original) throw refuse('ASSET_NOT_FOUND', `There is no asset "${id.slice(0, 80)}".`)
    const { version, lifetime } = original
    response.setHeader(
      'Cache-Control',
      lifetime !== undefined
        ? `public, max-age=${lifetime}`
        : parameters.get('v') === version
          ? forever
          : forNow,
    )
    // Feed readers and search engines show our pictures too.
    response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin')
    response.setHeader('X-Content-Type-Options', 'nosniff')
    if (parameters.get('format') === 'auto') response.setHeader('Vary', 'Accept')
    if (wanted && isRaster(original.type))
      await sendMade(request, response, original, wanted, client)
    else await sendOriginal(request, response, original)
  }

  async function sendOriginal(
    request: Request<{ id: string }>,
    response: Response,
    original: Original,
  ): Promise<void> {
    const { id } = request.params
    const { type, version } = original
    const etag = `"${version}-clean2"`
    response.setHeader('ETag', etag)
    if (isKnown(request, etag)) return void response.status(304).end()
    describe(response, id, type)
    const hide = async (source: ReadableBytes) => {
      const key = `${id}/${version}`
      const patches = hidden.get(key) ?? (await privateMetadata(source, type))
      if (!patches) throw refuse('FORBIDDEN', heldBack.one)
      hidden.set(key, patches)
      return patches
    }
    await sendFile(request, response, { path: await original.path(), etag, hide })
  }

  async function sendMade(
    request: Request<{ id: string }>,
    response: Response,
    original: Original,
    wanted: Wanted,
    client: string,
  ): Promise<void> {
    const { id } = request.params
    const preset = await chosen(id, original, wanted)
    const focal = (await content.picture(id))?.focal ?? middle
    const name = nameOf(id, original, preset, focal)
    const etag = `"${name}"`
    response.setHeader('ETag', etag)
    if (isKnown(request, etag)) return void response.status(304).end()
    let made = await findMade(name)
    if (!made) {
      await within(limit('assets'), request, response)
      const source = await original.path()
      made = await queue(client, () => make(name, source, preset, focal), leaving(response))
    }
    response.setHeader('Content-Type', formatTypes[preset.format])
    if ('path' in made) return sendFile(request, response, { path: made.path, etag })
    response.setHeader('Content-Length', made.bytes.length)
    response.end(request.method === 'HEAD' ? undefined : made.bytes)
  }

  const router = Router()
  router.get('/assets/:id', answer)
  router.use('/assets', wireErrors({ log }))
  return router
}

const sizeOfPatches = (patches: readonly Patch[]) =>
  patches.reduce((sum, { bytes }) => sum + 64 + (typeof bytes === 'number' ? 0 : bytes.length), 64)

/** The name of a made picture tells everything that it was made from. */
function nameOf(id: string, { version }: Original, preset: Transform, focal: Focal): string {
  const key = createHash('sha256')
    .update(JSON.stringify([recipe, id, version, preset, focal]))
    .digest('hex')
  return `${key.slice(0, 32)}.${preset.format}`
}

/** Headers of a file as it is; only pictures may be shown in place, and nothing in them may run. */
function describe(response: Response, id: string, type: string): void {
  response.setHeader('Content-Type', type)
  if (!isRaster(type))
    response.setHeader(
      'Content-Security-Policy',
      "sandbox; default-src 'none'; style-src 'unsafe-inline'",
    )
  if (!type.startsWith('image/')) {
    response.setHeader('Content-Disposition', `attachment; filename="${id}.${endingOf(type)}"`)
  }
}

/** Aborted when the client goes before its answer: what nobody waits for is not made. */
function leaving(response: Response): AbortSignal {
  const controller = new AbortController()
  response.once('close', () => controller.abort(new Error('The client has left.')))
  return controller.signal
}

/** Runs a limit in the middle of an answer. */
function within(
  limiter: RequestHandler,
  request: Request<{ id: string }>,
  response: Response,
): Promise<void> {
  return new Promise((resolve, reject) => {
    void limiter(request as Request, response, (err?: unknown) => (err ? reject(err) : resolve()))
  })
}
