import { randomBytes } from 'node:crypto'
import express, {
  Router,
  type Request,
  type RequestHandler,
  type Response as ExpressResponse,
} from 'express'
import type { Logger } from 'pino'
import type { ApiClient } from '#shared/endpoint.ts'
import { failure, isFailure } from '#shared/failures.ts'
import { canonicalPath, canonicalQuery, withQuery } from '../http/canonical-address.ts'
import { allowMethods } from '../http/methods.ts'
import type { CachedResponse } from '../http/replies/cached-response.ts'
import { requestContextOf } from '../http/request-context.ts'
import { hashSource, pagePolicy } from '../http/security-headers.ts'
import type { Renderer } from '../renderer.ts'
import {
  createBackgroundRender,
  createRenderQueue,
  createRenderWhole,
  type PageDeps,
} from './background-render.ts'
import { createPageCache } from './page-cache.ts'
import { abandoned, streamPage } from './streamed-page.ts'

/** Cached pages, and the route that renders all others. */
export type Pages = {
  /**
   * The cached page of an address; a stale one is rendered again in the background.
   * @param url path and query of the request
   * @param ifNoneMatch ETags of the client's copies, for revalidation
   */
  find(url: string, ifNoneMatch?: string): CachedResponse | undefined
  /** Renders any page; mount it last. */
  router: Router
  /** Renders pages into the cache ahead of their first visitor. */
  warm(addresses: readonly string[]): Promise<void>
  /**
   * Renders a page as a visitor without a session gets it, and caches nothing.
   * @returns its HTML, once for each variant; nothing where there is no page, or while a part of it
   *   fails
   */
  html(address: string): Promise<readonly string[]>
  /** Rerenders the most recently used pages, after a change of content. */
  refresh(): void
}

/** Pages rerendered at once after a change of content; others wait for their next visitor. */
const refreshedAtOnce = 100

export function createPages(deps: PageDeps): Pages {
  const { renderer, keepPages, log, clock, contentVersion, limit } = deps
  const keeps = keepPages && !renderer.development
  const cache = createPageCache({ version: contentVersion, clock })
  const { cacheKey, redirectSpellings } = createPageAddresses(renderer)
  const policy = createPolicy(deps)
  const logError = createLogError(log)
  const headers = (address: string) => {
    const { 'X-Frame-Options': frame, ...others } = deps.commonHeaders
    return {
      ...others,
      ...(deps.framing(address).length === 0 && { 'X-Frame-Options': frame! }),
      // Whatever content ends up in the page, only our own scripts run.
      'Content-Security-Policy': policy(renderer.inlineScripts.map(hashSource), address),
    }
  }
  const renderWhole = createRenderWhole(deps, logError)
  const queue = createRenderQueue(
    createBackgroundRender(deps, { cache, headers, render: renderWhole }),
  )

  const stream = createStream(deps, policy, logError)
  const render: RequestHandler = async (request, response) => {
    const { keep } = await stream(request, response)
    const key = keep && keeps ? cacheKey(request.originalUrl) : null
    if (key !== null) response.once('close', () => queue.add(key))
  }

  const router = Router()
  router.get('/{*path}', redirectSpellings, limit, render)
  router.post('/{*path}', onlyForms(renderer), limit, ...readForm, render)
  router.all('/{*path}', (request, response, next) => {
    const methods = renderer.acceptsForm(request.path) ? ['GET', 'POST'] : ['GET']
    allowMethods(methods)(request, response, next)
  })
  return {
    find(url, ifNoneMatch) {
      const key = cacheKey(url)
      const found = key === null ? null : cache.find(key, ifNoneMatch)
      if (found && !found.fresh) queue.add(key!)
      return found?.response
    },
    router,
    async warm(addresses) {
      if (!keeps) return
      for (const address of addresses) queue.add(address)
      await queue.settled()
    },
    async html(address) {
      const outcome = await renderWhole(address)
      return outcome.kind === 'rendered' ? outcome.variants.map(({ html }) => html.toString()) : []
    },
    refresh() {
      for (const address of cache.recent(refreshedAtOnce)) queue.add(address)
    },
  }
}

/** Creates the Content-Security-Policy of a page. */
const createPolicy =
  ({ renderer, siteUrl, policyOrigins, framing }: PageDeps) =>
  (sources: readonly string[], address: string): string =>
    pagePolicy(
      sources,
      { ...policyOrigins(), frame: framing(address) },
      {
        development: renderer.development,
        https: siteUrl.startsWith('https:'),
      },
    )

/** Only logs server errors: a missing article, for example, isn't one. */
const createLogError = (log: Logger) => (id: string, error: unknown) => {
  if (error === abandoned) return
  const status = error instanceof Object && 'status' in error ? Number(error.status) : 500
  if (status >= 500) log.error({ id, err: error }, 'page failed')
}

/** Creates the function that renders a page for one visitor. */
function createStream(
  { renderer, log, siteUrl, apiFor, framing }: PageDeps,
  policy: ReturnType<typeof createPolicy>,
  logError: ReturnType<typeof createLogError>,
) {
  return async (request: Request, response: ExpressResponse): Promise<{ keep: boolean }> => {
    const requestContext = requestContextOf(response)
    const { id } = requestContext
    if (framing(request.originalUrl).length > 0) response.removeHeader('X-Frame-Options')
    const nonce = randomBytes(16).toString('base64')
    const { api, retryAfter } = noteWait(apiFor(requestContext))
    return streamPage(renderer, request, response, {
      url: siteUrl + request.originalUrl,
      requestId: id,
      api,
      retryAfter,
      ...(request.method === 'POST' && { form: formOf(request.body) }),
      nonce,
      policy: policy([`'nonce-${nonce}'`], request.originalUrl),
      onError: (err) => logError(id, err),
      onCut: () => log.warn({ id }, 'page aborted: it took too long'),
    })
  }
}

/**
 * Notes how long refused calls of a page tell it to wait: the page shows the refusal in its own words,
 * and its reply still has to say when to come back.
 */
function noteWait(client: ApiClient): { api: ApiClient; retryAfter(): number | null } {
  let seconds: number | null = null
  return {
    async api(...call) {
      try {
        return await client(...call)
      } catch (thrown) {
        if (isFailure(thrown)) seconds = Math.max(seconds ?? 0, thrown.retryAfter ?? 0) || null
        throw thrown
      }
    },
    retryAfter: () => seconds,
  }
}

/** Canonical addresses of pages (docs/contract.md, Pages). */
type PageAddresses = {
  /** The cache key of an address; null if it isn't cacheable or not canonical. */
  cacheKey(url: string): string | null
  /** Redirects other spellings to the canonical address. */
  redirectSpellings: RequestHandler
}

/** Characters of a redirect target. */
const maxAddressLength = 4_000

function createPageAddresses(renderer: Pick<Renderer, 'queryOf'>): PageAddresses {
  return {
    cacheKey(url) {
      const at = url.indexOf('?')
      if (at < 0) return url
      const path = url.slice(0, at)
      const names = renderer.queryOf(path)
      if (!names) return null
      const { canonical, isCanonical } = canonicalQuery(url.slice(at + 1), names)
      return isCanonical ? withQuery(path, canonical) : null
    },
    redirectSpellings(request, response, next) {
      const [path = '/', ...queries] = request.originalUrl.split('?')
      const canonical = canonicalPath(path)
      if (canonical === null) return next()
      const query = queries.join('?')
      const names = query === '' ? null : renderer.queryOf(canonical)
      const asked = names ? canonicalQuery(query, names) : null
      if (canonical === path && asked?.isCanonical !== false) return next()
      const spelled = asked ? [asked.canonical, asked.rest] : [query]
      const location = withQuery(canonical, ...spelled)
      // No page has an address this long, and few clients accept such a header.
      if (location.length > maxAddressLength) throw failure('missing')
      response.redirect(308, location)
    },
  }
}

const urlencoded = 'application/x-www-form-urlencoded'
const multipart = 'multipart/form-data'
const formBytes = 32 * 1024

/** Parses the fields of a page's own form, in both encodings of HTML. */
const readForm: readonly RequestHandler[] = [
  express.urlencoded({ extended: false, limit: formBytes, parameterLimit: 100 }),
  express.raw({ type: multipart, limit: formBytes }),
  async (request, _response, next) => {
    if (!Buffer.isBuffer(request.body)) return next()
    const type = request.get('content-type')!
    const read = new Response(request.body, { headers: { 'Content-Type': type } }).formData()
    const form = await read.catch((cause: unknown) => {
      throw failure('malformed', { cause })
    })
    // Files aren't expected here and count as empty.
    const texts = Array.from(form, ([name, value]) => [
      name,
      typeof value === 'string' ? value : '',
    ])
    request.body = Object.fromEntries(texts) as Record<string, string>
    next()
  },
]

/** Lets forms through to pages that take them; refuses all other posts. */
function onlyForms(renderer: Pick<Renderer, 'acceptsForm'>): RequestHandler {
  return (request, _response, next) => {
    if (!renderer.acceptsForm(request.path)) return next('route')
    if (request.is([urlencoded, multipart]) || isEmpty(request)) return next()
    next(failure('wrong-type', { message: 'Only this page’s own form is accepted here.' }))
  }
}

/** A form with only a button sends nothing. */
const isEmpty = (request: Request) =>
  !request.get('transfer-encoding') && Number(request.get('content-length') ?? 0) === 0

/** The fields for the page; of repeated ones the first counts. */
function formOf(body: unknown): URLSearchParams {
  const fields = Object.entries((body ?? {}) as Record<string, string | string[]>)
  return new URLSearchParams(
    fields.map(([name, value]) => [name, [value].flat()[0] ?? ''] as [string, string]),
  )
}
