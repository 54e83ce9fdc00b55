import type { Logger } from 'pino'
import type { ApiClient } from '#shared/endpoint.ts'
import type { RequestContext } from '../http/request-context.ts'
import { nextId } from '../http/request-log.ts'
import type { Renderer } from '../renderer.ts'
import type { PageCache } from './cache.ts'
import { renderForCache } from './cached-page.ts'

/**
 * Makes the function that renders a page for the cache.
 * @param options `headers` of the kept page; `logError` called for each error within it
 */
export function createBackgroundRender({
  renderer,
  cache,
  log,
  clock,
  siteUrl,
  apiFor,
  contentVersion,
  headers,
  logError,
}: {
  renderer: Renderer
  cache: Pick<PageCache, 'isFresh' | 'set' | 'delete' | 'postpone'>
  log: Logger
  clock: () => number
  siteUrl: string
  apiFor(requestContext: RequestContext): ApiClient
  contentVersion(): number
  headers: () => Readonly<Record<string, string>>
  logError(id: string, error: unknown): void
}): (address: string) => Promise<void> {
  return async (address) => {
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
        headers,
        onError: (err) => logError(id, err),
      })
      if (outcome.kind === 'rendered') cache.set(address, outcome.variants, version)
      else if (outcome.kind === 'unfit') cache.delete(address)
      // What is kept already is better than a page with a hole in it.
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
