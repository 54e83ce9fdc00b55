import type { IncomingMessage, ServerResponse } from 'node:http'
import { hasBody } from './body-limit.ts'
import { sendCached, type CachedResponse } from './cached-response.ts'
import type { Listener } from './error-boundary.ts'
import type { EarlyLog } from './request-log.ts'

/** Where cached responses are looked for, in this order. */
export type Sources = {
  pages: { find(url: string, held: string | undefined): CachedResponse | undefined }
  files: { find(url: string): CachedResponse | undefined | Promise<CachedResponse | undefined> }
  assets: { find(url: string): CachedResponse | undefined }
}

/**
 * Takes a GET or HEAD without a body over ahead of the middleware, and says whether it did; what it
 * does not take over goes on to the middleware.
 */
export type TakeEarly = (
  request: IncomingMessage,
  response: ServerResponse,
) => boolean | Promise<boolean>

/** What a feature needs to reply ahead of the middleware. */
export type EarlyReplies = {
  /** Hands over all addresses that begin with a prefix. */
  take(prefix: string, take: TakeEarly): void
  /** What every reply carries. */
  readonly headers: Readonly<Record<string, string>>
  readonly log: EarlyLog
}

/**
 * Puts what is ready in front of the middleware: what features take over, pages, files and assets
 * leave at once, with the headers that the chain would give them; everything else goes to the
 * middleware.
 * @param takers by the prefixes of their addresses
 */
export function createEarlyResponses(
  log: EarlyLog,
  { pages, files, assets }: Sources,
  takers: ReadonlyMap<string, TakeEarly>,
  middleware: Listener,
): Listener {
  const prefixes = [...takers]
  return (request, response) => {
    if (request.url?.startsWith('/') === false) request.url = originForm(request.url)
    const { method, url = '/' } = request
    // A body that no route takes is refused by the middleware.
    const isPlain = (method === 'GET' || method === 'HEAD') && !hasBody(request)
    if (!isPlain) return middleware(request, response)
    for (const [prefix, take] of prefixes) {
      if (!url.startsWith(prefix)) continue
      const taken = take(request, response)
      if (taken === true) return undefined
      if (taken === false) return middleware(request, response)
      return taken.then((done) => (done ? undefined : middleware(request, response)))
    }
    const found = pages.find(url, heldBy(request)) ?? files.find(url) ?? assets.find(url)
    const answer = (cached: CachedResponse | undefined) => {
      if (!cached) return middleware(request, response)
      return sendCached(request, response, cached, log)
    }
    return found instanceof Promise ? found.then(answer) : answer(found)
  }
}

/** The path and query of a request target that names its server, too (RFC 9112, 3.2.2). */
const originForm = (target: string): string => {
  const url = URL.parse(target)
  return url ? url.pathname + url.search : '/'
}

/**
 * The ETags of the copy that a client asks to have confirmed, be it a cache, a crawler or a feed
 * reader. A person who comes back is none of them: they may get another variant of the page.
 */
function heldBy({ headers }: IncomingMessage): string | undefined {
  return headers['sec-fetch-dest'] === 'document' ? undefined : headers['if-none-match']
}
