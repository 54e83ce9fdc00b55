import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Context } from './context.ts'
import { sendFinished, type Finished } from './finished.ts'

/** A request listener as Node's servers take it. */
type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** Where finished replies are looked for, in this order. */
export type Sources = {
  pages: { find(url: string, held: string | undefined): Finished | undefined }
  files: { find(url: string): Finished | undefined | Promise<Finished | undefined> }
  assets: { find(url: string): Finished | undefined }
}

/**
 * Puts what is finished in front of the middleware: short links, pages, files and assets leave at
 * once, with the headers that the chain would give them; everything else goes `behind`.
 * @param redirect takes a short link over and says whether it did
 */
export function createFront(
  { access }: Pick<Context, 'access'>,
  { pages, files, assets }: Sources,
  redirect: (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>,
  behind: Listener,
): Listener {
  return (request, response) => {
    if (request.url?.startsWith('/') === false) request.url = originForm(request.url)
    const { method, url = '/' } = request
    if (method !== 'GET' && method !== 'HEAD') return behind(request, response)
    if (url.startsWith('/l/')) {
      const taken = redirect(request, response)
      if (taken === true) return
      if (taken === false) return behind(request, response)
      return void taken.then((done) => done || behind(request, response))
    }
    const found = pages.find(url, heldBy(request)) ?? files.find(url) ?? assets.find(url)
    const answer = (finished: Finished | undefined) => {
      if (finished) sendFinished(request, response, finished, access)
      else behind(request, response)
    }
    if (found instanceof Promise) void found.then(answer)
    else answer(found)
  }
}

/** The path and query of a request target that names its server, too (RFC 9112, 3.2.2). */
const originForm = (target: string): string => {
  const url = URL.parse(target)
  return url ? url.pathname + url.search : '/'
}

/**
 * The ETags of the copy that somebody asks to have confirmed, be it a cache, a crawler or a feed
 * reader. A person who comes back is none of them: their page is drawn anew (spec 3.1, hero).
 */
function heldBy({ headers }: IncomingMessage): string | undefined {
  return headers['sec-fetch-dest'] === 'document' ? undefined : headers['if-none-match']
}
