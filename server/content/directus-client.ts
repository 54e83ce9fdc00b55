import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import {
  bounded,
  isBroken,
  isItsOwn,
  isRefusal,
  pieces,
  refusal,
  stampFrom,
  whole,
  worded,
} from './directus-replies.ts'
import { unavailable } from './unavailable.ts'

/** One good reply of a Directus. */
export type Reply = {
  status: number
  type: string
  tag: string | null
  body: Buffer
}

/** A file on its way. */
export type Download = { type: string; stamp: string; body: AsyncIterable<Buffer> }

/** Asks a Directus, as often as it takes within a time. */
export type DirectusClient = {
  /**
   * A 200 or 304 with a body that `accept` takes.
   * @param path beneath the address of the service, with its query
   * @param options `patience` is for how long, in milliseconds, a failed try is followed by another;
   *   one that goes on may take longer; `tag` asks for a 304; `accept` throws on a body that cannot be
   *   right, which is then asked for again
   * @throws a {@link Refusal} for what asking again cannot change; failure `unavailable` for the rest
   */
  get<Value>(
    path: string,
    options: { patience: number; tag?: string | null; accept: (reply: Reply) => Value },
  ): Promise<Value>
  /**
   * A file, however long it takes as long as it goes on.
   * @param options `asPublic` leaves the token out; `save` gets it, again after a failed try
   * @throws as {@link DirectusClient.get}
   */
  download<Value>(
    path: string,
    options: { asPublic: boolean; save: (download: Download) => Promise<Value> },
  ): Promise<Value>
  /**
   * What tells one version of a file from another, without its bytes; null when there is something
   * else to say than 200. One try.
   */
  stampOf(path: string, options: { asPublic: boolean; patience: number }): Promise<string | null>
  /** Whether the service failed a moment ago, so that waiting for it is no use. */
  isFailing(): boolean
  close(): void
}

/** The longest silence within one try, so that a lost connection leaves time for another. */
const silence = 5_000
/** How long failed tries of a file are followed by others, and how long it may take to begin. */
const filePatience = 6_000
/** The longest that one try may take, in milliseconds. */
const longestReply = 60_000
const longestDownload = 5 * 60_000
/** How long a refused token stays unused, in milliseconds. */
const tokenPause = 60_000
/** How long a failure says something about the next try. */
const failureHolds = 5_000
const largestBody = 64 * 1024 * 1024
const largestFile = 512 * 1024 * 1024
/** How much of an error's body goes to the log. */
const loggedBody = 500

type Asked = { method?: 'HEAD'; tag?: string | null; asPublic?: boolean; isFile?: boolean }

/**
 * Makes a client of a Directus. It expects everything that one does under pressure: 503 in bulk,
 * 429 with Retry-After 0, 401 for a stale token on public data, replies that never end.
 */
export function createDirectusClient({
  url,
  token,
  log,
}: {
  url: string
  token: string | null
  log: Pick<Logger, 'warn' | 'debug'>
}): DirectusClient {
  const closing = new AbortController()
  /** A refused token is left out for a while; the public may read most of it. */
  let tokenAt = token === null ? Infinity : 0
  let failedAt = -Infinity

  /**
   * One request.
   * @param begin milliseconds until its reply begins
   * @param limit milliseconds for all of it
   * @param use takes the reply while its connection is watched
   */
  async function once<Value>(
    path: string,
    asked: Asked,
    { begin, limit }: { begin: number; limit: number },
    use: (response: Response, body: AsyncIterable<Buffer>) => Promise<Value>,
  ): Promise<Value> {
    const withToken = !asked.asPublic && performance.now() >= tokenAt
    const watch = new AbortController()
    const late = () =>
      watch.abort(new DOMException('The content service is silent.', 'TimeoutError'))
    const end = setTimeout(late, Math.ceil(limit))
    const start = setTimeout(late, Math.min(silence, Math.ceil(begin)))
    let quiet: NodeJS.Timeout | undefined
    try {
      const response = await fetch(url + path, {
        method: asked.method ?? 'GET',
        signal: AbortSignal.any([closing.signal, watch.signal]),
        headers: {
          ...(withToken && { Authorization: `Bearer ${token}` }),
          // Said here, or fetch would add `no-cache` to a conditional request, which forbids a 304.
          ...(asked.tag && { 'If-None-Match': asked.tag, 'Cache-Control': 'max-age=0' }),
        },
      })
      if (response.status === 401 && withToken) {
        log.warn({ path, status: 401 }, 'content token refused; asking as the public')
        tokenAt = performance.now() + tokenPause
        await response.body?.cancel()
        return await once(path, asked, { begin, limit }, use)
      }
      clearTimeout(start)
      quiet = setTimeout(late, silence)
      const body = pieces(response, quiet)
      if (response.status === 200 || response.status === 304) return await use(response, body)
      throw await refusalOf(path, asked, response, body)
    } finally {
      for (const timer of [end, start, quiet]) clearTimeout(timer)
      watch.abort()
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
    const bytes = await whole(body, largestBody)
    const said = bytes.toString('utf8', 0, loggedBody)
    log.debug({ path, status, body: said }, 'content service refused')
    const final = status === 431 || ([400, 403, 404].includes(status) && isItsOwn(bytes))
    // Without the token that was refused a no means nothing.
    const asStranger = token !== null && !asPublic && performance.now() < tokenAt
    if (final && isFile && asStranger) {
      return unavailable(401, { cause: new Error(`${path}: ${status} without the refused token`) })
    }
    if (final) return refusal(status, said, statusText)
    return unavailable(status, { statusText, cause: new Error(`${path}: ${status} ${said}`) })
  }

  /** Tries until it works, is refused for good, or no time is left. */
  async function persist<Value>(
    path: string,
    patience: number,
    attempt: (left: number) => Promise<Value>,
  ): Promise<Value> {
    const until = performance.now() + patience
    for (let tries = 0; ; tries += 1) {
      try {
        const value = await attempt(Math.max(until - performance.now(), 100))
        failedAt = -Infinity
        return value
      } catch (err) {
        const wait = Math.min(100 * 2 ** tries, 1_500) * (0.75 + Math.random() / 2)
        const over = performance.now() + wait > until - 50
        if (isRefusal(err)) {
          failedAt = -Infinity
          throw err
        }
        const hopeless = tries >= 2 && isBroken(err)
        if (over || hopeless || closing.signal.aborted) {
          // One broken file says nothing about the others.
          if (!isBroken(err)) failedAt = performance.now()
          throw worded(err, path)
        }
        await delay(wait, undefined, { signal: closing.signal, ref: false }).catch(() => {})
      }
    }
  }

  return {
    get: (path, { patience, tag, accept }) =>
      persist(path, patience, (begin) =>
        once(path, { tag }, { begin, limit: longestReply }, async ({ status, headers }, body) =>
          accept({
            status,
            type: headers.get('content-type') ?? '',
            tag: headers.get('etag'),
            body: await whole(body, largestBody),
          }),
        ),
      ),
    download: (path, { asPublic, save }) =>
      persist(path, filePatience, (begin) =>
        once(
          path,
          { asPublic, isFile: true },
          { begin, limit: longestDownload },
          async (response, body) => {
            const type = response.headers.get('content-type') ?? ''
            return save({ type, stamp: stampFrom(response), body: bounded(body, largestFile) })
          },
        ),
      ),
    async stampOf(path, { asPublic, patience }) {
      try {
        const limits = { begin: patience, limit: patience }
        return await once(path, { method: 'HEAD', asPublic }, limits, async (response) =>
          stampFrom(response),
        )
      } catch (err) {
        if (err instanceof Error && ('failure' in err || isRefusal(err))) return null
        failedAt = performance.now()
        throw worded(err, path)
      }
    },
    isFailing: () => performance.now() - failedAt < failureHolds,
    close() {
      closing.abort(new Error('The content service is being closed.'))
    },
  }
}
