import { randomBytes, randomInt } from 'node:crypto'
import { pipeline, type Writable } from 'node:stream'
import type { Request, Response } from 'express'
import type { PageRequest, Rendering } from '#shared/rendering.ts'
import { compressor, preferred, type Encoding } from '../http/replies/encoding.ts'
import type { Renderer } from '../renderer.ts'
import { withTimeout } from '../concurrency/timeout.ts'

/** Milliseconds that slow content may delay the shell of a streamed page. */
const partTimeout = 20
/** Milliseconds until a page without a shell is given up; pages answer within 10 s. */
const shellTimeout = 9_000
/** Milliseconds until a streaming page is cut off, from the start of the request. */
const streamTimeout = 9_500

/** The reason of aborted renders: the client left, or it took too long. */
export const abandoned = new Error('The page was abandoned.')

/** Bytes of chance, at most, that hide the length of a compressed personal page. */
const maxBlur = 192

const privatePage = 'private, no-store'

/**
 * Renders a page for one visitor and streams it: the shell at once, late parts as they come.
 * @param options what the render needs beside its times; `policy` is the page's
 *   Content-Security-Policy, `retryAfter` the seconds after which what was refused may be asked again
 * @returns whether the page is the same for all visitors and may be cached
 * @throws failure `unavailable` when not even the shell comes in time; what the renderer throws
 */
export async function streamPage(
  renderer: Renderer,
  request: Request,
  response: Response,
  {
    policy,
    retryAfter,
    onCut,
    ...page
  }: Pick<PageRequest, 'url' | 'requestId' | 'api' | 'onError' | 'form'> & {
    nonce: string
    policy: string
    retryAfter(): number | null
    onCut(): void
  },
): Promise<{ keep: boolean }> {
  const began = performance.now()
  const rendering = await shellOf(
    renderer.render({
      ...page,
      method: request.method,
      partTimeout,
      variant: Math.floor(Math.random() * 1_000_000),
      whole: false,
    }),
  )
  if (rendering.redirect !== null) {
    // After a form the answer is another page, which is asked for by GET (RFC 9110, 15.4.4).
    response.redirect(request.method === 'POST' ? 303 : rendering.status, rendering.redirect)
    return { keep: false }
  }
  const { status, handle, degraded } = rendering
  const isPost = request.method === 'POST'
  const keep = Boolean(handle?.keep) && status === 200 && !isPost
  response.status(status)
  response.setHeader('Content-Type', 'text/html; charset=utf-8')
  response.setHeader('Content-Security-Policy', policy)
  response.setHeader('Cache-Control', keep && !degraded ? 'no-cache' : privatePage)
  for (const [name, value] of Object.entries(handle?.headers ?? {})) response.setHeader(name, value)
  const wait = retryAfter()
  if (wait !== null && (status === 429 || status === 503)) response.setHeader('Retry-After', wait)
  const cut = setTimeout(
    () => {
      onCut()
      rendering.abort(abandoned)
    },
    Math.max(0, streamTimeout - (performance.now() - began)),
  )
  response.once('close', () => {
    clearTimeout(cut)
    if (!response.writableFinished) rendering.abort(abandoned)
  })
  // What a session opens, and what a form said, isn't compressed: its length would leak it (BREACH).
  // Who asks for a page that its address opens knows the secret; its length is blurred all the same
  // (decision 101).
  const isCompressed = handle !== null && (!handle.personal || handle.openedByAddress) && !isPost
  const encoding = isCompressed ? preferred(request.get('accept-encoding')) : 'identity'
  if (isCompressed) response.setHeader('Vary', 'Accept-Encoding')
  if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding)
  if (request.method === 'HEAD') {
    rendering.abort(abandoned)
    response.end()
  } else {
    const body = compressed(response, encoding)
    if (encoding !== 'identity' && handle?.personal) body.write(blur())
    rendering.pipe(body)
  }
  return { keep }
}

/** A comment of random length that doesn't compress, which may stand ahead of a document type. */
const blur = () => `<!-- ${randomBytes(randomInt(maxBlur)).toString('base64')} -->\n`

/** Waits for the shell; aborts a render that is too late. */
async function shellOf(render: Promise<Rendering<Writable>>): Promise<Rendering<Writable>> {
  try {
    return await withTimeout(render, shellTimeout)
  } catch (error) {
    render.then(
      (late) => late.redirect === null && late.abort(abandoned),
      () => {},
    )
    throw error
  }
}

/** The stream to write a response to in an encoding. */
function compressed(response: Response, encoding: Encoding): Writable {
  const stream = compressor(encoding)
  if (!stream) return response
  pipeline(stream, response, () => {})
  return stream
}
