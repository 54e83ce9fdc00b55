import { Router, type Request, type RequestHandler, type Response } from 'express'
import { ipKeyGenerator } from 'express-rate-limit'
import { LRUCache } from 'lru-cache'
import { withheldTexts } from '#shared/folders/withheld.ts'
import type { Platform } from '../../feature.ts'
import type { GetLimit } from '../../http/limits/limits.ts'
import { requestContextOf } from '../../http/request-context.ts'
import type { Patch, ReadableBytes } from '../../images/bytes.ts'
import { privateMetadata } from '../../images/metadata.ts'
import { endingFor, isRaster } from '../../http/media-types.ts'
import { sendFile } from '../../transfers/send-file.ts'
import { isKnown } from '../../http/replies/known-version.ts'
import { allowMethods } from '../../http/methods.ts'
import { query, refuse, wireErrors } from '../read-api/wire.ts'
import type { Original } from '../reader.ts'
import { formatTypes, readImageRequest, type ImageRequest } from './image-request.ts'
import { requestedVariant, type ResizedImages } from './resized-images.ts'

type AssetRequest = Request<{ id: string }>

const forever = 'public, max-age=31536000, immutable'
const forNow = 'public, max-age=86400, stale-while-revalidate=604800'

/**
 * `GET /assets/{id}`: files of the content service without private camera metadata, and pictures in
 * the site's sizes and formats (docs/contract.md, Content service). Only pictures that have to be
 * resized first count against a client's limit.
 */
export function assetFileRoutes(
  { content, log, pictures }: Pick<Platform, 'content' | 'log'> & { pictures: ResizedImages },
  limit: GetLimit,
): Router {
  const sendOriginal = createSendOriginal()
  const sendMade = createSendMade({ content, pictures }, limit('assets'))

  async function answer(request: AssetRequest, response: Response): Promise<void> {
    const { id } = request.params
    const parameters = query(request)
    const wanted = readImageRequest(parameters, request.get('accept'))
    const client = ipKeyGenerator(requestContextOf(response).address, 56)
    const original = /^[\w-]{1,80}$/.test(id) ? await content.asset(id, client) : null
    if (!original) throw refuse('ASSET_NOT_FOUND', `Asset not found: "${id.slice(0, 80)}".`)
    const { version, lifetime } = original
    response.setHeader(
      'Cache-Control',
      lifetime !== undefined
        ? `public, max-age=${lifetime}`
        : parameters.get('v') === version
          ? forever
          : forNow,
    )
    // Feed readers and search engines embed our pictures.
    response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin')
    response.setHeader('X-Content-Type-Options', 'nosniff')
    if (parameters.get('format') === 'auto') response.setHeader('Vary', 'Accept')
    if (wanted && isRaster(original.type))
      await sendMade(request, response, original, wanted, client)
    else await sendOriginal(request, response, original)
  }

  const router = Router({ caseSensitive: true })
  router.get('/assets/:id', answer)
  router.all('/assets/:id', allowMethods(['GET']))
  router.use('/assets', wireErrors({ log }))
  return router
}

/** Sends original files without private camera metadata. */
function createSendOriginal() {
  const hidden = new LRUCache<string, { patches: readonly Patch[] | null }>({
    max: 1_000,
    maxSize: 16 * 1024 * 1024,
    sizeCalculation: ({ patches }) => sizeOfPatches(patches ?? []),
  })
  return async (request: AssetRequest, response: Response, original: Original): Promise<void> => {
    const { id } = request.params
    const { type, version } = original
    const etag = `"${version}-clean3"`
    response.setHeader('ETag', etag)
    if (isKnown(request, etag)) return void response.status(304).end()
    describe(request, response, type)
    const hide = async (source: ReadableBytes) => {
      const key = `${id}/${version}`
      const found = hidden.get(key) ?? { patches: await privateMetadata(source, type) }
      hidden.set(key, found)
      if (!found.patches) throw refuse('FORBIDDEN', withheldTexts.one)
      return found.patches
    }
    await sendFile(request, response, { path: await original.path(), etag, hide })
  }
}

/** Sends pictures in a requested size and format. */
function createSendMade(
  { content, pictures }: Pick<Platform, 'content'> & { pictures: ResizedImages },
  limit: RequestHandler,
) {
  return async (
    request: AssetRequest,
    response: Response,
    original: Original,
    wanted: ImageRequest,
    client: string,
  ): Promise<void> => {
    const { id } = request.params
    const variant = await requestedVariant({ content, pictures }, id, original, wanted)
    const etag = `"${variant.name}"`
    response.setHeader('ETag', etag)
    if (isKnown(request, etag)) return void response.status(304).end()
    let made = await pictures.find(variant)
    if (!made) {
      await within(limit, request, response)
      made = await pictures.make(variant, client, leaving(response))
    }
    describe(request, response, formatTypes[variant.preset.format])
    if ('path' in made) return sendFile(request, response, { path: made.path, etag })
    response.setHeader('Content-Length', made.bytes.length)
    response.end(request.method === 'HEAD' ? undefined : made.bytes)
  }
}

const sizeOfPatches = (patches: readonly Patch[]) =>
  patches.reduce((sum, { bytes }) => sum + 64 + (typeof bytes === 'number' ? 0 : bytes.length), 64)

/**
 * Headers of a file by its type. Only raster pictures are opened in place, and nothing else may run;
 * browsers save the rest, while pages show and play it all the same. `download` has a picture saved,
 * too, as at a Directus, for links that editors mark so.
 */
function describe(request: AssetRequest, response: Response, type: string): void {
  response.setHeader('Content-Type', type)
  if (!isRaster(type))
    response.setHeader(
      'Content-Security-Policy',
      "sandbox; default-src 'none'; style-src 'unsafe-inline'",
    )
  if (!isRaster(type) || query(request).has('download')) {
    const filename = `${request.params.id}.${endingFor(type)}`
    response.setHeader('Content-Disposition', `attachment; filename="${filename}"`)
  }
}

/** Aborted when the client goes before its answer, so no picture is made for it. */
function leaving(response: Response): AbortSignal {
  const controller = new AbortController()
  response.once('close', () => controller.abort(new Error('The client disconnected.')))
  return controller.signal
}

/** Runs a limit in the middle of an answer. */
function within(limiter: RequestHandler, request: AssetRequest, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    void limiter(request as Request, response, (err?: unknown) => (err ? reject(err) : resolve()))
  })
}
