import type { Logger } from 'pino'
import * as z from 'zod/mini'
import { unavailable } from '../unavailable.ts'

type Asked = { method?: 'HEAD'; tag?: string | null; asPublic?: boolean; isFile?: boolean }

/**
 * One request to a Directus.
 * @param limits milliseconds until its reply begins, and for all of it
 * @param use takes a 200 or 304 while its connection is watched
 * @throws a refusal, failure `unavailable`, or what the connection threw
 */
type AskDirectus = <Value>(
  path: string,
  asked: Asked,
  limits: { begin: number; limit: number },
  use: (response: Response, body: AsyncIterable<Buffer>) => Promise<Value>,
) => Promise<Value>

/** The longest silence within one try, so a lost connection leaves time for another. */
const silenceMs = 5_000
/** How long a refused token stays unused, in milliseconds. */
const tokenPause = 60_000
/** How much of an error's body goes to the log, and how much of it is read, in bytes. */
const loggedBody = 500
const largestError = 64 * 1024
/** The longest pause that a service may ask for, in milliseconds: its readers wait for what is new. */
const longestPause = 30_000

/** @param options `signal` aborts requests in flight */
export function createRequest({
  url,
  token,
  log,
  signal,
}: {
  url: string
  token: string | null
  log: Pick<Logger, 'warn' | 'debug'>
  signal: AbortSignal
}): AskDirectus {
  /** A refused token is left out for a while; the public may read most of it. */
  let tokenAt = token === null ? Infinity : 0

  const request: AskDirectus = async (path, asked, limits, use) => {
    const withToken = !asked.asPublic && performance.now() >= tokenAt
    const watch = watchReply(limits)
    try {
      const response = await fetch(url + path, {
        method: asked.method ?? 'GET',
        signal: AbortSignal.any([signal, watch.signal]),
        headers: {
          ...(withToken && { Authorization: `Bearer ${token}` }),
          // Said here, or fetch would add `no-cache` to a conditional request, which forbids a 304.
          ...(asked.tag && { 'If-None-Match': asked.tag, 'Cache-Control': 'max-age=0' }),
        },
      })
      if (response.status === 401 && withToken) {
        log.warn({ path, status: 401 }, 'content token rejected, reading as the public')
        tokenAt = performance.now() + tokenPause
        await response.body?.cancel()
        return await request(path, asked, limits, use)
      }
      const body = pieces(response, watch.begun())
      if (response.status === 200 && asked.isFile) {
        return await use(response, body).catch((err: unknown) => {
          throw ofOneFile(path, err)
        })
      }
      if (response.status === 200 || response.status === 304) return await use(response, body)
      throw await refusalOf(path, asked, response, body)
    } finally {
      watch.end()
    }
  }

  /** What to throw for a reply that is no good. */
  async function refusalOf(
    path: string,
    { asPublic, isFile }: Asked,
    response: Response,
    body: AsyncIterable<Buffer>,
  ): Promise<Error> {
    const { status, statusText } = response
    const bytes = await beginning(body, largestError)
    const said = bytes.toString('utf8', 0, loggedBody)
    log.debug({ path, status, body: said }, 'content service refused')
    const final = status === 431 || ([400, 403, 404].includes(status) && isItsOwn(bytes))
    // Without the token that was refused a no means nothing.
    const asStranger = token !== null && !asPublic && performance.now() < tokenAt
    if (final && isFile && asStranger) {
      return unavailable(401, { cause: new Error(`${path}: ${status} without the refused token`) })
    }
    if (final) return Object.assign(refusal(status, said, statusText), { asStranger })
    const cause = new Error(`${path}: ${status} ${said}`)
    return Object.assign(unavailable(status, { statusText, cause }), { pause: pauseFrom(response) })
  }

  return request
}

/** Watches a reply: it has to begin in time, go on without long silences, and end in time. */
function watchReply({ begin, limit }: { begin: number; limit: number }) {
  const controller = new AbortController()
  const late = () =>
    controller.abort(new DOMException('The content service isn’t responding.', 'TimeoutError'))
  const end = setTimeout(late, Math.ceil(limit))
  const start = setTimeout(late, Math.min(silenceMs, Math.ceil(begin)))
  let quiet: NodeJS.Timeout | undefined
  return {
    signal: controller.signal,
    /** Says that the reply has begun. @returns the timer that every piece of it has to refresh */
    begun(): NodeJS.Timeout {
      clearTimeout(start)
      return (quiet = setTimeout(late, silenceMs))
    },
    /** Ends the watch, and the connection with it. */
    end(): void {
      for (const timer of [end, start, quiet]) clearTimeout(timer)
      controller.abort()
    },
  }
}

/** A reply that stays the same however often it is asked for: missing, forbidden or badly asked. */
export type Refusal = Error & {
  readonly refused: number
  /** Whether it was said to the public, because the token had been refused before. */
  readonly asStranger?: boolean
}

/** Tells a {@link Refusal} from any other thrown value. */
export const isRefusal = (thrown: unknown): thrown is Refusal =>
  thrown instanceof Error && 'refused' in thrown

/** What a Directus says itself; a proxy in front of a stopped one says 404 in its own words. */
const refusalBody = z.object({
  errors: z.array(z.object({ extensions: z.object({ code: z.string() }) })).check(z.minLength(1)),
})

/** The body piece by piece; each one is a sign of life. */
async function* pieces(response: Response, quiet: NodeJS.Timeout): AsyncGenerator<Buffer> {
  if (!response.body) return
  for await (const piece of response.body) {
    quiet.refresh()
    yield Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
  }
}

/** The body as it comes. @throws a refusal when there is more than so many bytes */
export async function* bounded(body: AsyncIterable<Buffer>, max: number): AsyncGenerator<Buffer> {
  let size = 0
  for await (const piece of body) {
    size += piece.length
    if (size > max) throw refusal(413, 'The file is too large.')
    yield piece
  }
}

/** As much of a body as a page that says no may have; the rest is left where it is. */
async function beginning(body: AsyncIterable<Buffer>, max: number): Promise<Buffer> {
  const all: Buffer[] = []
  let size = 0
  for await (const piece of body) {
    all.push(piece)
    size += piece.length
    if (size > max) break
  }
  return Buffer.concat(all).subarray(0, max)
}

/** For how many milliseconds a reply wants to be left alone: seconds, or a date. */
function pauseFrom({ headers }: Response): number {
  const given = headers.get('retry-after')?.trim() ?? ''
  const ms = /^\d{1,9}$/.test(given) ? Number(given) * 1000 : Date.parse(given) - Date.now()
  return Math.min(Math.max(ms || 0, 0), longestPause)
}

/** The same of what was thrown. */
export const pauseOf = (err: unknown): number =>
  err instanceof Error && 'pause' in err ? Number(err.pause) : 0

/** What tells one version of a file from another, by the headers of its reply. */
export const stampFrom = ({ headers }: Response) =>
  ['content-length', 'last-modified'].map((name) => headers.get(name) ?? '').join('|')

/** Whether a body is what a Directus says of a request, and not what a proxy before it says. */
function isItsOwn(body: Buffer): boolean {
  try {
    return refusalBody.safeParse(JSON.parse(body.toString())).success
  } catch {
    return false
  }
}

/**
 * What to throw when a file whose reply has begun can't be taken: empty, or cut off. Anyone may ask
 * for such a file again and again, so it must not count as a failure of the service. Silence does.
 */
function ofOneFile(path: string, err: unknown): unknown {
  if (isRefusal(err) || !(err instanceof Error)) return err
  if (err.name === 'TimeoutError' || err.name === 'AbortError') return err
  const thrown = unavailable(502, { cause: new Error(path, { cause: err }) })
  return Object.assign(thrown, { ofOneFile: true, explanation: `${path} is empty, or cut off.` })
}

/** A server error that isn't a sign of pressure seldom goes away by asking on. */
export function isBroken(err: unknown): boolean {
  if (err instanceof Error && 'ofOneFile' in err) return true
  const status = err instanceof Error && 'upstream' in err ? Number(err.upstream) : 0
  return status === 500 || status === 501
}

/** What to throw for a no that stays one. */
export function refusal(status: number, said: string, statusText = ''): Refusal {
  const { message } = unavailable(status, { statusText })
  return Object.assign(new Error(message, { cause: new Error(said) }), { refused: status })
}

/** What was thrown, as the failure that a reader gets. */
export function worded(err: unknown, path: string) {
  if (err instanceof Error && 'failure' in err) return err
  const timedOut = err instanceof Error && err.name === 'TimeoutError'
  return Object.assign(
    unavailable(timedOut ? 504 : 502, { cause: new Error(path, { cause: err }) }),
    { explanation: explained(err) },
  )
}

/** What operators read in place of a gateway’s status that no gateway has sent. */
function explained(err: unknown): string {
  const { name, message } = err as Error
  if (message.includes('content service')) return message
  if (name === 'TimeoutError') return 'The content service isn’t responding.'
  if (name === '$ZodError' || name === 'ZodError')
    return 'The content service answers with something other than content: is CONTENT_URL right?'
  return name === 'SyntaxError'
    ? 'The content service doesn’t answer in JSON: is CONTENT_URL right?'
    : 'The content service can’t be reached, or cuts the connection.'
}
