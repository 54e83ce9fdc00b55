import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { Router, type Request, type RequestHandler, type Response } from 'express'
import type { Context } from '../context.ts'
import type { Limits } from '../http/limits.ts'
import { formatTypes, readTransform, type Transform } from './asset-request.ts'
import { createDiskCache } from './disk-cache.ts'
import { createGate } from './gate.ts'
import { endingOf, isRaster } from './media-types.ts'
import type { Original } from './reader.ts'
import { recipe, transform } from './transform.ts'
import { isKnown, query, refuse, wireErrors } from './wire.ts'

/** Pictures that were made, on disk. */
const ceiling = 512 * 1024 * 1024
type Focal = readonly [number, number]
const middle: Focal = [0.5, 0.5]

const forever = 'public, max-age=31536000, immutable'
const forNow = 'public, max-age=86400, stale-while-revalidate=604800'

/**
 * `GET /assets/{id}`: files of the content service, pictures in the sizes and formats of the site
 * (spec 3.2, design 1.10). What was made once is on disk; a size that is not costs a core for a
 * moment, so few are made at a time and only those count against a client's limit.
 */
export function assetFileRoutes(
  { config, content, log }: Pick<Context, 'config' | 'content' | 'log'>,
  limits: Pick<Limits, 'assets'>,
): Router {
  const cache = createDiskCache({ dir: join(config.dataDir, 'cache/assets'), ceiling, log })
  const gate = createGate({ parallel: 2, waiting: 64 })
  const making = new Map<string, Promise<Buffer>>()

  /** Makes a picture and keeps it; equal requests share the work. */
  function make(
    name: string,
    id: string,
    original: Original,
    wanted: Transform,
    focal: Focal,
  ): Promise<Buffer> {
    let running = making.get(name)
    if (!running) {
      running = gate(async () => {
        const made = await transform(await original.bytes(), wanted, focal).catch(
          (err: unknown) => {
            log.warn({ asset: id, err }, 'picture cannot be made')
            throw refuse('BAD_SOURCE', 'The picture is damaged.')
          },
        )
        await cache.put(name, made)
        return made
      }).finally(() => making.delete(name))
      making.set(name, running)
    }
    return running
  }

  async function answer(request: Request<{ id: string }>, response: Response): Promise<void> {
    const { id } = request.params
    const parameters = query(request)
    const wanted = readTransform(parameters, request.get('accept'))
    const original = /^[\w-]{1,80}$/.test(id) ? await content.asset(id) : null
    if (!original) throw refuse('ASSET_NOT_FOUND', `There is no asset "${id.slice(0, 80)}".`)
    const { version } = original
    const pixels = wanted !== null && isRaster(original.type)
    const focal = (pixels && (await content.picture(id))?.focal) || middle
    const name = pixels ? nameOf(id, original, wanted, focal) : ''
    const etag = `"${pixels ? name : version}"`
    response.setHeader('ETag', etag)
    response.setHeader('Cache-Control', parameters.get('v') === version ? forever : forNow)
    // Feed readers and search engines show our pictures too.
    response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin')
    response.setHeader('X-Content-Type-Options', 'nosniff')
    if (parameters.get('format') === 'auto') response.setHeader('Vary', 'Accept')
    if (isKnown(request, etag)) {
      response.status(304).end()
      return
    }
    if (!pixels) {
      const bytes = await original.bytes()
      describe(response, id, original.type)
      response.setHeader('Content-Length', bytes.length)
      response.end(request.method === 'HEAD' ? undefined : bytes)
      return
    }
    let bytes = await cache.get(name)
    if (!bytes) {
      await within(limits.assets, request, response)
      bytes = await make(name, id, original, wanted, focal)
    }
    response.setHeader('Content-Type', wanted.format ? formatTypes[wanted.format] : original.type)
    response.setHeader('Content-Length', bytes.length)
    response.end(request.method === 'HEAD' ? undefined : bytes)
  }

  const router = Router()
  router.get('/assets/:id', answer)
  router.use('/assets', wireErrors({ log }))
  return router
}

/** The name of a made picture tells everything that it was made from. */
function nameOf(id: string, { version, type }: Original, wanted: Transform, focal: Focal): string {
  const key = createHash('sha256')
    .update(JSON.stringify([recipe, id, version, wanted, focal]))
    .digest('hex')
  return `${key.slice(0, 32)}.${wanted.format ?? endingOf(type)}`
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

/** Runs a limit in the middle of an answer. */
function within(
  limit: RequestHandler,
  request: Request<{ id: string }>,
  response: Response,
): Promise<void> {
  return new Promise((resolve, reject) => {
    void limit(request as Request, response, (err?: unknown) => (err ? reject(err) : resolve()))
  })
}
