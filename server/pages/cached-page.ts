import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { ApiClient } from '#shared/endpoint.ts'
import { cachedResponse, type CachedResponse } from '../http/cached-response.ts'
import { compress } from '../http/encoding.ts'
import type { Renderer } from '../renderer.ts'

/** How long the parts of a page that is rendered in the background may take, in milliseconds. */
const partTimeout = 9_000

/** Cache-Control of a public page: a CDN may keep it shortly, and show it while it asks again. */
const publicPage = 'public, max-age=0, s-maxage=60, stale-while-revalidate=600'

/** What became of a page that was rendered for the cache. */
export type Outcome =
  | { kind: 'rendered'; variants: CachedResponse[] }
  /** It is no page that may be kept: missing, moved, personal. */
  | { kind: 'unfit' }
  /** A part of it failed or came late. */
  | { kind: 'incomplete' }

/**
 * Renders a page whole, in all its variants.
 * @param request `url` absolute; `headers` of every reply beside those of the page, asked for once the
 *   page has read its content
 */
export async function renderForCache(
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
