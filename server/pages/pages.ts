import { randomBytes } from 'node:crypto'
import { Router, type Request, type RequestHandler, type Response } from 'express'
import type { Logger } from 'pino'
import type { ApiClient } from '#shared/endpoint.ts'
import type { CachedResponse } from '../http/cached-response.ts'
import { hashSource, pagePolicy } from '../http/guards.ts'
import { requestContextOf, type RequestContext } from '../http/request-context.ts'
import { createTurns } from '../http/turns.ts'
import type { Renderer } from '../renderer.ts'
import { createBackgroundRender } from './background-render.ts'
import { createPageCache } from './cache.ts'
import { createPageAddresses } from './page-addresses.ts'
import { formOf, onlyForms, readForm } from './page-forms.ts'
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

/** Pages that a change of content renders again at once; the others wait for their next visitor. */
const refreshedAtOnce = 100

/**
 * Makes the pages: those in the cache for {@link Pages.find}, streaming for everything else.
 */
export function createPages(dependencies: Dependencies): Pages {
  const { renderer, keepPages, log, clock, siteUrl, apiFor, contentVersion, limit } = dependencies
  const keeps = keepPages && !renderer.development
  const cache = createPageCache({ version: contentVersion, clock })
  const { cacheKey, redirectSpellings } = createPageAddresses(renderer)
  const policy = createPolicy(dependencies)
  const logError = createLogError(log)
  const queue = createRenderQueue(
    createBackgroundRender({
      renderer,
      cache,
      log,
      clock,
      siteUrl,
      apiFor,
      contentVersion,
      headers: () => ({
        ...dependencies.commonHeaders,
        // Only scripts of our own run, whatever else stands in a page.
        'Content-Security-Policy': policy(renderer.inlineScripts.map(hashSource)),
      }),
      logError,
    }),
  )

  const stream = createStream(dependencies, policy, logError)
  const render: RequestHandler = async (request, response) => {
    const { keep } = await stream(request, response)
    const key = keep && keeps ? cacheKey(request.originalUrl) : null
    if (key !== null) response.once('close', () => queue.add(key))
  }

  const router = Router()
  router.get('/{*path}', redirectSpellings, limit, render)
  router.post('/{*path}', onlyForms(renderer), limit, ...readForm, render)
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

/** Makes the Content-Security-Policy of pages with some sources of scripts. */
const createPolicy =
  ({ renderer, siteUrl, policyOrigins }: Dependencies) =>
  (sources: readonly string[]): string =>
    pagePolicy(sources, policyOrigins(), {
      development: renderer.development,
      https: siteUrl.startsWith('https:'),
    })

/** A failure that a page shows on purpose, such as a missing article, is no error of ours. */
const createLogError = (log: Logger) => (id: string, error: unknown) => {
  if (error === abandoned) return
  const status = error instanceof Object && 'status' in error ? Number(error.status) : 500
  if (status >= 500) log.error({ id, err: error }, 'page failed')
}

/** Makes what renders a page for one visitor. */
function createStream(
  { renderer, log, siteUrl, apiFor }: Dependencies,
  policy: ReturnType<typeof createPolicy>,
  logError: ReturnType<typeof createLogError>,
) {
  // Most of what a page costs comes after its beginning, in turns of the renderer's own.
  const turns = createTurns(1)
  return async (request: Request, response: Response): Promise<{ keep: boolean }> => {
    const requestContext = requestContextOf(response)
    const { id } = requestContext
    await turns(() => requestContext.address)
    if (request.socket.destroyed) return { keep: false }
    const nonce = randomBytes(16).toString('base64')
    return streamPage(renderer, request, response, {
      url: siteUrl + request.originalUrl,
      requestId: id,
      api: apiFor(requestContext),
      ...(request.method === 'POST' && { form: formOf(request.body) }),
      nonce,
      policy: policy([`'nonce-${nonce}'`]),
      onError: (err) => logError(id, err),
      onCut: () => log.warn({ id }, 'page was cut off'),
    })
  }
}
