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
  /** False renders every page again. */
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

/** Renders a page for a visitor without a session, from beginning to end. */
export type RenderWhole = (address: string) => Promise<Outcome>

/**
 * Creates the function that renders whole pages.
 * @param logError called for each error within a page
 */
export function createRenderWhole(
  { renderer, clock, siteUrl, apiFor }: PageDeps,
  logError: (id: string, error: unknown) => void,
): RenderWhole {
  return (address) => {
    const requestContext = backgroundContext(address, clock())
    const { id } = requestContext
    return renderVariants(renderer, {
      url: siteUrl + address,
      requestId: id,
      api: apiFor(requestContext),
      onError: (err) => logError(id, err),
    })
  }
}

/**
 * Creates the function that renders a page for the cache.
 * @param options `headers` of the cached page
 */
export function createBackgroundRender(
  { log, contentVersion }: PageDeps,
  {
    cache,
    headers,
    render,
  }: {
    cache: Pick<PageCache, 'isFresh' | 'set' | 'delete' | 'postpone'>
    headers: (address: string) => Readonly<Record<string, string>>
    render: RenderWhole
  },
): (address: string) => Promise<void> {
  return async (address) => {
    // Visitors who came during the last render queued it again.
    if (cache.isFresh(address)) return
    try {
      // Taken before the first read, so a change during the render makes the page stale at once.
      const version = contentVersion()
      const outcome = await render(address)
      if (outcome.kind === 'rendered' && outcome.keep)
        cache.set(address, await cachedVariants(outcome, headers(address)), version)
      // The cached page beats one with a hole in it.
      else if (outcome.kind === 'incomplete') cache.postpone(address)
      else cache.delete(address)
    } catch (err) {
      cache.postpone(address)
      log.error({ err, path: address }, 'page not rendered for the cache')
    }
  }
}

async function cachedVariants(
  { variants }: Extract<Outcome, { kind: 'rendered' }>,
  headers: Readonly<Record<string, string>>,
): Promise<CachedResponse[]> {
  const cached: CachedResponse[] = []
  // One after the other leaves the processor to visitors.
  for (const { html, headers: own } of variants) {
    cached.push(
      cachedResponse(await compress(html, 9), {
        ...headers,
        ...own,
        'Content-Type': 'text/html; charset=utf-8',
        'Cache-Control': publicPage,
      }),
    )
  }
  return cached
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

/** The outcome of a render. */
type Outcome =
  | {
      kind: 'rendered'
      /** Whether it is the same for all visitors and may be cached. */
      keep: boolean
      variants: readonly { html: Buffer; headers: Readonly<Record<string, string>> }[]
    }
  /** Missing or moved. */
  | { kind: 'unfit' }
  /** A part of it failed or came late. */
  | { kind: 'incomplete' }

/**
 * Renders a page whole, in all its variants.
 * @param request `url` absolute
 */
async function renderVariants(
  renderer: Renderer,
  request: Pick<Parameters<Renderer['render']>[0], 'url' | 'requestId' | 'api' | 'onError'>,
): Promise<Outcome> {
  const variants: { html: Buffer; headers: Readonly<Record<string, string>> }[] = []
  let [count, keep] = [1, true]
  for (let variant = 0; variant < count; variant += 1) {
    const rendering = await renderer.render({
      ...request,
      method: 'GET',
      partTimeout,
      variant,
      whole: true,
    })
    if (rendering.redirect !== null) return { kind: 'unfit' }
    const stream = new PassThrough()
    rendering.pipe(stream)
    const html = await buffer(stream)
    const { status, handle, degraded } = rendering
    if (!handle || status !== 200) return { kind: 'unfit' }
    if (degraded) return { kind: 'incomplete' }
    keep &&= handle.keep !== null
    count = keep ? handle.variants : 1
    variants.push({ html, headers: handle.headers })
  }
  return { kind: 'rendered', keep, variants }
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
