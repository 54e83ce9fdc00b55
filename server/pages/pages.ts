import { randomBytes } from 'node:crypto'
import express, { Router, type Request, type RequestHandler } from 'express'
import type { Logger } from 'pino'
import type { ApiClient } from '#shared/endpoint.ts'
import { failure } from '#shared/failures.ts'
import type { CachedResponse } from '../http/cached-response.ts'
import { canonicalPath, canonicalQuery, withQuery } from '../http/canonical-address.ts'
import { hashSource, pagePolicy } from '../http/guards.ts'
import { requestContextOf, type RequestContext } from '../http/request-context.ts'
import { nextId } from '../http/request-log.ts'
import { createTurns } from '../http/turns.ts'
import type { Renderer } from '../renderer.ts'
import { createPageCache } from './cache.ts'
import { renderForCache } from './cached-page.ts'
import { createRenderQueue } from './render-queue.ts'
import { abandoned, streamPage } from './streamed-page.ts'

/** The rendered pages: those that are kept, and the route for all others. */
export type Pages = {
  /**
   * The cached page of an address; one that is out of date is rendered again in the background.
   * @param url path and query as asked for
   * @param held the ETags that the client has, to be confirmed if one of them is still good
   */
  find(url: string, held?: string): CachedResponse | undefined
  /** Renders any page; mounted last. */
  router: Router
  /** Renders and keeps some pages ahead of their first visitor. */
  warm(addresses: readonly string[]): Promise<void>
  /** Renders the pages that are used most again, after a change of content. */
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
  /** Origins that configuration and content add to the policy of pages. */
  policyOrigins(): Parameters<typeof pagePolicy>[1]
  /** How many pages an address may have rendered. */
  limit: RequestHandler
}

/** Most characters of an address that another spelling is led to. */
const longestAddress = 4_000

/** Pages that a change of content renders again at once; the others wait for their next visitor. */
const refreshedAtOnce = 100

/**
 * Makes the pages: those in the cache for {@link Pages.find}, streaming for everything else.
 */
export function createPages({
  renderer,
  keepPages,
  log,
  clock,
  siteUrl,
  apiFor,
  contentVersion,
  commonHeaders,
  policyOrigins,
  limit,
}: Dependencies): Pages {
  const keeps = keepPages && !renderer.development
  const cache = createPageCache({ version: contentVersion, clock })
  const queue = createRenderQueue(renderAndKeep)
  // Most of what a page costs comes after its beginning, in turns of the renderer's own.
  const turns = createTurns(1)
  const policy = (sources: readonly string[]) =>
    pagePolicy(sources, policyOrigins(), {
      development: renderer.development,
      https: siteUrl.startsWith('https:'),
    })
  const cachedHeaders = () => ({
    ...commonHeaders,
    // Only scripts of our own run, whatever else stands in a page.
    'Content-Security-Policy': policy(renderer.inlineScripts.map(hashSource)),
  })

  async function renderAndKeep(address: string): Promise<void> {
    // Visitors who came while it was rendered have asked for it once more.
    if (cache.isFresh(address)) return
    const requestContext = backgroundContext(address, clock())
    const { id } = requestContext
    try {
      // Taken before the first read: a change that comes meanwhile makes the page stale at once.
      const version = contentVersion()
      const outcome = await renderForCache(renderer, {
        url: siteUrl + address,
        requestId: id,
        api: apiFor(requestContext),
        headers: cachedHeaders,
        onError: (err) => logError(id, err),
      })
      if (outcome.kind === 'rendered') cache.set(address, outcome.variants, version)
      else if (outcome.kind === 'unfit') cache.delete(address)
      // What is kept already is better than a page with a hole in it.
      else cache.postpone(address)
    } catch (err) {
      cache.postpone(address)
      log.error({ id, err, path: address }, 'page could not be rendered for the cache')
    }
  }

  /** A failure that a page shows on purpose, such as a missing article, is no error of ours. */
  function logError(id: string, error: unknown) {
    if (error === abandoned) return
    const status = error instanceof Object && 'status' in error ? Number(error.status) : 500
    if (status >= 500) log.error({ id, err: error }, 'page failed')
  }

  /** The address under which a page is kept; null for one that is not, or is spelled otherwise. */
  function cacheKey(url: string): string | null {
    const at = url.indexOf('?')
    if (at < 0) return url
    const path = url.slice(0, at)
    const names = renderer.queryOf(path)
    if (!names) return null
    const { canonical, isCanonical } = canonicalQuery(url.slice(at + 1), names)
    return isCanonical ? withQuery(path, canonical) : null
  }

  /** Leads every other spelling of an address to the one under which its page is. */
  const redirectSpellings: RequestHandler = (request, response, next) => {
    const [path = '/', ...queries] = request.originalUrl.split('?')
    const canonical = canonicalPath(path)
    if (canonical === null) return next()
    const query = queries.join('?')
    const names = query === '' ? null : renderer.queryOf(canonical)
    const asked = names ? canonicalQuery(query, names) : null
    if (canonical === path && asked?.isCanonical !== false) return next()
    const spelled = asked ? [asked.canonical, asked.rest] : [query]
    const location = withQuery(canonical, ...spelled)
    // No page has such an address, and few clients take such a header.
    if (location.length > longestAddress) throw failure('missing')
    response.redirect(308, location)
  }

  const render: RequestHandler = async (request, response) => {
    const requestContext = requestContextOf(response)
    const { id } = requestContext
    await turns(() => requestContext.address)
    if (request.socket.destroyed) return
    const nonce = randomBytes(16).toString('base64')
    const { keep } = await streamPage(renderer, request, response, {
      url: siteUrl + request.originalUrl,
      requestId: id,
      api: apiFor(requestContext),
      ...(request.method === 'POST' && { form: formOf(request.body) }),
      nonce,
      policy: policy([`'nonce-${nonce}'`]),
      onError: (err) => logError(id, err),
      onCut: () => log.warn({ id }, 'page was cut off'),
    })
    const key = keep && keeps ? cacheKey(request.originalUrl) : null
    if (key !== null) response.once('close', () => queue.add(key))
  }

  const router = Router()
  router.get('/{*path}', redirectSpellings, limit, render)
  router.post('/{*path}', onlyForms(renderer), limit, ...formBody, render)
  return {
    find(url, held) {
      const key = cacheKey(url)
      const found = key === null ? null : cache.find(key, held)
      if (found && !found.fresh) queue.add(key!)
      return found?.response
    },
    router,
    async warm(addresses) {
      if (!keeps) return
      for (const address of addresses) queue.add(address)
      await queue.settled()
    },
    refresh() {
      for (const address of cache.recent(refreshedAtOnce)) queue.add(address)
    },
  }
}

const urlencoded = 'application/x-www-form-urlencoded'
const multipart = 'multipart/form-data'
const formBytes = 32 * 1024

/** The fields of a form that a page posts to itself, in either way that HTML has for them. */
const formBody: RequestHandler[] = [
  express.urlencoded({ extended: false, limit: formBytes, parameterLimit: 100 }),
  express.raw({ type: multipart, limit: formBytes }),
  async (request, _response, next) => {
    if (!Buffer.isBuffer(request.body)) return next()
    const type = request.get('content-type')!
    const read = new Response(request.body, { headers: { 'Content-Type': type } }).formData()
    const form = await read.catch((cause: unknown) => {
      throw failure('malformed', { cause })
    })
    // Files are sent elsewhere; a field of that kind counts as empty.
    const texts = Array.from(form, ([name, value]) => [
      name,
      typeof value === 'string' ? value : '',
    ])
    request.body = Object.fromEntries(texts) as Record<string, string>
    next()
  },
]

/** Lets a form through to a page that takes one; what else is posted to pages is refused. */
function onlyForms(renderer: Renderer): RequestHandler {
  return (request, _response, next) => {
    if (!renderer.takesForm(request.path)) return next('route')
    if (request.is([urlencoded, multipart]) || isEmpty(request)) return next()
    next(failure('wrong-type', { message: 'Only the form of this page is accepted here.' }))
  }
}

/** A button alone sends nothing at all. */
const isEmpty = (request: Request) =>
  !request.get('transfer-encoding') && Number(request.get('content-length') ?? 0) === 0

/** Of a field that comes more than once the first counts. */
function formOf(body: unknown): URLSearchParams {
  const fields = Object.entries((body ?? {}) as Record<string, string | string[]>)
  return new URLSearchParams(
    fields.map(([name, value]) => [name, [value].flat()[0] ?? ''] as [string, string]),
  )
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
    sessionAt: () => null,
    setCookie() {},
  }
}
