import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { unavailable } from './unavailable.ts'

/** One good reply of a Directus. */
export type Reply = {
  status: number
  type: string
  tag: string | null
  body: Buffer
}

/** Asks a Directus, as often as it takes within a time. */
export type DirectusClient = {
  /**
   * A 200 or 304 with a body that `accept` takes.
   * @param path beneath the address of the service, with its query
   * @param options `patience` in milliseconds over all tries; `tag` asks for a 304; `accept` throws
   *   on a body that cannot be right, which is then asked for again
   * @throws a {@link Refusal} for what asking again cannot change; failure `unavailable` for the rest
   */
  get<Value>(
    path: string,
    options: { patience: number; tag?: string | null; accept: (reply: Reply) => Value },
  ): Promise<Value>
  close(): void
}

/** A reply that stays the same however often it is asked for: missing, forbidden or badly asked. */
export type Refusal = Error & { readonly refused: number }

/** Tells a {@link Refusal} from any other thrown value. */
export const isRefusal = (thrown: unknown): thrown is Refusal =>
  thrown instanceof Error && 'refused' in thrown

/** The longest that one try may take, so that a lost connection leaves time for another. */
const tryLimit = 5_000
/** How long a refused token stays unused, in milliseconds. */
const tokenPause = 60_000
const largestBody = 128 * 1024 * 1024
/** How much of an error's body goes to the log. */
const loggedBody = 500

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

  async function once(path: string, tag: string | null | undefined, limit: number): Promise<Reply> {
    const withToken = performance.now() >= tokenAt
    const response = await fetch(url + path, {
      signal: AbortSignal.any([closing.signal, AbortSignal.timeout(Math.ceil(limit))]),
      headers: {
        ...(withToken && { Authorization: `Bearer ${token}` }),
        ...(tag && { 'If-None-Match': tag }),
      },
    })
    const { status, statusText, headers } = response
    if (status === 401 && withToken) {
      log.warn({ path, status }, 'content token refused; asking as the public')
      tokenAt = performance.now() + tokenPause
      await response.body?.cancel()
      return once(path, tag, limit)
    }
    if (Number(headers.get('content-length')) > largestBody) {
      await response.body?.cancel()
      throw refusal(413, 'The file is too large.')
    }
    const body = Buffer.from(await response.arrayBuffer())
    if (status === 200 || status === 304) {
      return { status, type: headers.get('content-type') ?? '', tag: headers.get('etag'), body }
    }
    const said = body.toString('utf8', 0, loggedBody)
    log.debug({ path, status, body: said }, 'content service refused')
    if (status === 403 || status === 404 || status === 400 || status === 431) {
      throw refusal(status, said, statusText)
    }
    throw unavailable(status, { statusText, cause: new Error(`${path}: ${status} ${said}`) })
  }

  return {
    async get(path, { patience, tag, accept }) {
      const until = performance.now() + patience
      for (let tries = 0; ; tries += 1) {
        try {
          const left = Math.max(until - performance.now(), 100)
          return accept(await once(path, tag, Math.min(left, tryLimit)))
        } catch (err) {
          const wait = Math.min(100 * 2 ** tries, 1_500) * (0.75 + Math.random() / 2)
          const over = performance.now() + wait > until - 50
          if (isRefusal(err)) throw err
          const hopeless = tries >= 2 && isBroken(err)
          if (over || hopeless || closing.signal.aborted) throw worded(err, path)
          await delay(wait, undefined, { signal: closing.signal, ref: false }).catch(() => {})
        }
      }
    },
    close() {
      closing.abort(new Error('The content service is being closed.'))
    },
  }
}

/** A server error that is no sign of pressure seldom goes away by asking on. */
function isBroken(err: unknown): boolean {
  const status = err instanceof Error && 'upstream' in err ? Number(err.upstream) : 0
  return status === 500 || status === 501
}

function refusal(status: number, said: string, statusText = ''): Refusal {
  const { message } = unavailable(status, { statusText })
  return Object.assign(new Error(message, { cause: new Error(said) }), { refused: status })
}

/** What was thrown, as the failure that a reader gets. */
function worded(err: unknown, path: string) {
  if (err instanceof Error && 'failure' in err) return err
  const timedOut = err instanceof Error && err.name === 'TimeoutError'
  return unavailable(timedOut ? 504 : 502, { cause: new Error(path, { cause: err }) })
}
