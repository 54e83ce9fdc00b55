import { randomBytes } from 'node:crypto'
import { PassThrough, pipeline, type Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { Router, type Request, type RequestHandler, type Response } from 'express'
import type { Logger } from 'pino'
import type { ApiClient } from '#shared/endpoint.ts'
import { finish, type Finished } from './finished.ts'
import { createFinishedPages, inlineScriptHashes } from './finished-pages.ts'
import { compress, compressor, preferred, type Encoding } from './http/encoding.ts'
import { pagePolicy } from './http/guards.ts'
import { nextId, requestContextOf, type RequestContext } from './http/request-context.ts'
import type { Renderer } from './renderer.ts'

/** How long slow content may hold up the shell of a streamed page, in milliseconds. */
const shellPatience = 20
/** How long a page that is finished in the background may take. */
const finishPatience = 9_000
/** When a streamed page is cut off (design section 2: pages answer within 10 s). */
const streamLimit = 9_500

export type Pages = {
  /**
   * The finished page of an address; one that is out of date is rendered anew in the background.
   * @param held the ETags that the client has, to be confirmed if one of them is still good
   */
  find(url: string, held?: string): Finished | undefined
  /** Renders any page; mounted last. */
  router: Router
  /** Renders and keeps some pages ahead of their first visitor. */
  warm(urls: readonly string[]): Promise<void>
  /** Renders every kept page again, after a change of content. */
  refresh(): void
}

type Dependencies = {
  renderer: Renderer
  /** False renders every page anew. */
  keepPages: boolean
  log: Logger
  clock: () => number
  siteUrl: string
  apiFor(requestContext: RequestContext): ApiClient
  contentVersion(): number
  /** Headers that every reply has. */
  commonHeaders: Readonly<Record<string, string>>
  policyOrigins(): Parameters<typeof pagePolicy>[1]
}

/** Why a render is given up: nobody waits for it any more, or it takes too long. No error of ours. */
const abandoned = new Error('The page was abandoned.')

/** Cache-Control of a public page: a CDN may keep it shortly, and show it while it asks again. */
const publicPage = 'public, max-age=0, s-maxage=60, stale-while-revalidate=600'
const privatePage = 'private, no-store'

/**
 * Makes the page edge: the finished pages in front, streaming for everything else.
 */
export function createPages(dependencies: Dependencies): Pages {
  const {
    renderer,
    keepPages,
    log,
    clock,
    siteUrl,
    apiFor,
    contentVersion,
    commonHeaders,
    policyOrigins,
  } = dependencies
  const https = siteUrl.startsWith('https:')
  const finished = createFinishedPages({ version: contentVersion, clock })
  const finishing = new Set<string>()
  const policy = (sources: readonly string[]) =>
    pagePolicy(sources, policyOrigins(), { development: renderer.development, https })

  /** Renders one page whole, in all its variants, and keeps it if it may be kept. */
  async function finishUrl(asked: string): Promise<void> {
    const url = finished.plain(asked)
    if (!keepPages || renderer.development || finishing.has(url)) return
    finishing.add(url)
    try {
      // Taken before the first read: a change that comes meanwhile makes the pages stale at once.
      const version = contentVersion()
      let variants = 1
      for (let variant = 0; variant < variants; variant += 1) {
        const rendered = await renderWhole(url, variant)
        if (!rendered) return
        const { bytes, status, keep, degraded } = rendered
        if (!keep || status !== 200) return finished.drop(url)
        // What is kept already is better than a page with a hole in it.
        if (degraded) return
        variants = rendered.variants
        const rule = { query: keep.query, variants }
        const plain = finished.plain(url, rule)
        if (plain !== url) return void finishUrl(plain)
        const headers = {
          ...commonHeaders,
          ...rendered.headers,
          'Content-Type': 'text/html; charset=utf-8',
          'Cache-Control': publicPage,
          'Content-Security-Policy': policy(inlineScriptHashes(bytes.toString())),
        }
        finished.keep(url, variant, finish(await compress(bytes, 9), headers), version, rule)
      }
    } catch (err) {
      log.error({ err, path: url }, 'page could not be finished')
    } finally {
      finishing.delete(url)
    }
  }

  async function renderWhole(url: string, variant: number) {
    const requestContext = backgroundContext(url, clock())
    const rendering = await renderer.render({
      url: siteUrl + url,
      method: 'GET',
      api: apiFor(requestContext),
      patience: finishPatience,
      variant,
      whole: true,
      onError: (err) => logError(requestContext.id, err),
    })
    if (rendering.redirect !== null) return null
    const html = new PassThrough()
    rendering.pipe(html)
    const { status, handle, degraded } = rendering
    return {
      bytes: await buffer(html),
      status,
      degraded,
      keep: handle?.keep ?? null,
      headers: handle?.headers ?? {},
      variants: handle?.variants ?? 1,
    }
  }

  /** A failure that a page shows on purpose, such as a missing article, is no error of ours. */
  function logError(id: string, error: unknown) {
    if (error === abandoned) return
    const status = error instanceof Object && 'status' in error ? Number(error.status) : 500
    if (status >= 500) log.error({ id, err: error }, 'page failed')
  }

  return {
    find(url, held) {
      const found = finished.find(url, held)
      if (found && !found.fresh) void finishUrl(url)
      return found?.page
    },

    router: pageRouter(async (request, response) => {
      const requestContext = requestContextOf(response)
      const nonce = randomBytes(16).toString('base64')
      const rendering = await renderer.render({
        url: siteUrl + request.originalUrl,
        method: request.method,
        api: apiFor(requestContext),
        patience: shellPatience,
        variant: Math.floor(Math.random() * 1_000_000),
        nonce,
        whole: false,
        onError: (err) => logError(requestContext.id, err),
      })
      if (rendering.redirect !== null) {
        response.redirect(rendering.status, rendering.redirect)
        return
      }
      const keep = rendering.handle?.keep && rendering.status === 200
      response.status(rendering.status)
      response.setHeader('Content-Type', 'text/html; charset=utf-8')
      response.setHeader('Content-Security-Policy', policy([`'nonce-${nonce}'`]))
      const everybody = keep && !rendering.degraded
      response.setHeader('Cache-Control', everybody ? 'no-cache' : privatePage)
      for (const [name, value] of Object.entries(rendering.handle?.headers ?? {})) {
        response.setHeader(name, value)
      }
      const cut = setTimeout(() => {
        log.warn({ id: requestContext.id }, 'page was cut off')
        rendering.abort(abandoned)
      }, streamLimit)
      response.once('close', () => {
        clearTimeout(cut)
        if (!response.writableFinished) rendering.abort(abandoned)
      })
      // A page that may hold a secret of its visitor stays as long as it is (BREACH).
      const encoding = keep ? preferred(request.get('accept-encoding')) : 'identity'
      if (keep) response.setHeader('Vary', 'Accept-Encoding')
      if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding)
      if (request.method === 'HEAD') {
        rendering.abort(abandoned)
        response.end()
      } else {
        rendering.pipe(compressed(response, encoding))
      }
      if (keep) response.once('close', () => void finishUrl(request.originalUrl))
    }),

    async warm(urls) {
      for (const url of urls) await finishUrl(url)
    },

    refresh() {
      void (async () => {
        for (const url of finished.addresses()) await finishUrl(url)
      })()
    },
  }
}

/** Where to write what a response sends in an encoding; nobody waits for it once that is closed. */
function compressed(response: Response, encoding: Encoding): Writable {
  const stream = compressor(encoding)
  if (!stream) return response
  pipeline(stream, response, () => {})
  return stream
}

function pageRouter(handle: (request: Request, response: Response) => Promise<void>): Router {
  const router = Router()
  router.get('/{*path}', handle as RequestHandler)
  return router
}

/** The request of a render that nobody asked for. */
function backgroundContext(url: string, at: number): RequestContext {
  return {
    id: nextId(),
    address: '',
    at,
    url,
    userAgent: '',
    proof: null,
    cookies: {},
    session: null,
    setCookie() {},
  }
}
