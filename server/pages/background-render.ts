import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { RequestHandler } from 'express'
import type { Logger } from 'pino'
import type { ApiClient } from '#shared/endpoint.ts'
import { cachedResponse, type CachedResponse } from '../http/replies/cached-response.ts'
import { compress } from '../http/replies/encoding.ts'
import type { RequestContext } from '../http/request-context.ts'
import { nextId } from '../http/request-log.ts'
import type { Framing, pagePolicy } from '../http/security-headers.ts'
import type { Renderer } from '../renderer.ts'
import type { PageCache } from './page-cache.ts'

/** What rendering pages depends on. */
export type PageDeps = {
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
  /** Which other sites may show a page in a frame. */
  framing: Framing
  /** Origins that configuration and content add to the policy of pages. */
  policyOrigins(): Parameters<typeof pagePolicy>[1]
  /** How many pages an address may have rendered. */
  limit: RequestHandler
}

/**
 * Creates the function that renders a page for the cache.
 * @param options `headers` of the cached page; `logError` is called for each error within it
 */
export function createBackgroundRender(
  { renderer, log, clock, siteUrl, apiFor, contentVersion }: PageDeps,
  {
    cache,
    headers,
    logError,
  }: {
    cache: Pick<PageCache, 'isFresh' | 'set' | 'delete' | 'postpone'>
    headers: (address: string) => Readonly<Record<string, string>>
    logError(id: string, error: unknown): void
  },
): (address: string) => Promise<void> {
  return async (address) => {
    // Visitors who came during the last render queued it again.
    if (cache.isFresh(address)) return
    const requestContext = backgroundContext(address, clock())
    const { id } = requestContext
    try {
      // Taken before the first read, so a change during the render makes the page stale at once.
      const version = contentVersion()
      const outcome = await renderForCache(renderer, {
        url: siteUrl + address,
        requestId: id,
        api: apiFor(requestContext),
        headers: () => headers(address),
        onError: (err) => logError(id, err),
      })
      if (outcome.kind === 'rendered') cache.set(address, outcome.variants, version)
      else if (outcome.kind === 'unfit') cache.delete(address)
      // The cached page beats one with a hole in it.
      else cache.postpone(address)
    } catch (err) {
      cache.postpone(address)
      log.error({ id, err, path: address }, 'page not rendered for the cache')
    }
  }
}

/** The request of a render in the background. */
function backgroundContext(url: string, at: number): RequestContext {
  return {
    id: nextId(),
    address: '',
    at,
    url,
    userAgent: '',
    fields: {},
    header: () => null,
    cookies: {},
    session: null,
    sessionAt: () => null,
    setCookie() {},
  }
}

/** Milliseconds that slow parts of a page may take in the background. */
const partTimeout = 9_000

/** Cache-Control of a public page: a CDN may keep it briefly and serve it stale while revalidating. */
const publicPage = 'public, max-age=0, s-maxage=60, stale-while-revalidate=600'

/** The outcome of a render for the cache. */
type Outcome =
  | { kind: 'rendered'; variants: CachedResponse[] }
  /** Not cacheable: missing, moved, personal. */
  | { kind: 'unfit' }
  /** A part of it failed or came late. */
  | { kind: 'incomplete' }

/**
 * Renders a page whole, in all its variants.
 * @param request `url` absolute; `headers` of every reply beside those of the page, asked for once the
 *   page has read its content
 */
async function renderForCache(
  renderer: Renderer,
  request: {
    url: string
    requestId: string
    api: ApiClient
    headers(): Readonly<Record<string, string>>
    onError(error: unknown): void
  },
): Promise<Outcome> {
  const variants: CachedResponse[] = []
  let count = 1
  for (let variant = 0; variant < count; variant += 1) {
    const { url, requestId, api, onError } = request
    const rendering = await renderer.render({
      url,
      requestId,
      method: 'GET',
      api,
      partTimeout,
      variant,
      whole: true,
      onError,
    })
    if (rendering.redirect !== null) return { kind: 'unfit' }
    const html = new PassThrough()
    rendering.pipe(html)
    const bytes = await buffer(html)
    const { status, handle, degraded } = rendering
    if (!handle?.keep || status !== 200) return { kind: 'unfit' }
    if (degraded) return { kind: 'incomplete' }
    count = handle.variants
    variants.push(
      cachedResponse(await compress(bytes, 9), {
        ...request.headers(),
        ...handle.headers,
        'Content-Type': 'text/html; charset=utf-8',
        'Cache-Control': publicPage,
      }),
    )
  }
  return { kind: 'rendered', variants }
}

/** Renders pages for the cache, one at a time. */
type RenderQueue = {
  /** Adds a page unless it is queued already, or the queue is full. */
  add(address: string): void
  /** Resolves once all pages added so far are done. */
  settled(): Promise<void>
}

const maxWaiting = 200

/**
 * Creates a queue that renders one page at a time, so visitors are served in between.
 * @param render renders and caches a page; never rejects
 */
export function createRenderQueue(render: (address: string) => Promise<void>): RenderQueue {
  const waiting = new Set<string>()
  let turn: Promise<void> = Promise.resolve()

  const takeTurn = async (before: Promise<void>, address: string) => {
    await before
    waiting.delete(address)
    await render(address)
  }

  return {
    add(address) {
      if (waiting.has(address) || waiting.size >= maxWaiting) return
      waiting.add(address)
      turn = takeTurn(turn, address)
    },
    settled: () => turn,
  }
}
