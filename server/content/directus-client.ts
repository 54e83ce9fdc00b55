import type { Logger } from 'pino'
import { bounded, isRefusal, largestBody, stampFrom, whole, worded } from './directus-replies.ts'
import { createRequest } from './directus-request.ts'
import { createRetries } from './directus-retries.ts'

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
   * @param options `retryFor` is for how long, in milliseconds, a failed try is followed by another;
   *   one that goes on may take longer; `tag` asks for a 304; `accept` throws on a body that cannot be
   *   right, which is then asked for again
   * @throws a {@link Refusal} for what asking again cannot change; failure `unavailable` for the rest
   */
  get<Value>(
    path: string,
    options: { retryFor: number; tag?: string | null; accept: (reply: Reply) => Value },
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
  stampOf(path: string, options: { asPublic: boolean; timeout: number }): Promise<string | null>
  /** Whether the service failed a moment ago, so that waiting for it is no use. */
  isFailing(): boolean
  close(): void
}

/** How long failed tries of a file are followed by others, and how long it may take to begin. */
const fileRetryFor = 6_000
/** The longest that one try may take, in milliseconds. */
const longestReply = 60_000
const longestDownload = 5 * 60_000
/** In bytes. */
const largestFile = 512 * 1024 * 1024

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
  const request = createRequest({ url, token, log, signal: closing.signal })
  const { persist, failed, isFailing } = createRetries(closing.signal)

  return {
    get: (path, { retryFor, tag, accept }) =>
      persist(path, retryFor, (begin) =>
        request(path, { tag }, { begin, limit: longestReply }, async ({ status, headers }, body) =>
          accept({
            status,
            type: headers.get('content-type') ?? '',
            tag: headers.get('etag'),
            body: await whole(body, largestBody),
          }),
        ),
      ),
    download: (path, { asPublic, save }) =>
      persist(path, fileRetryFor, (begin) =>
        request(
          path,
          { asPublic, isFile: true },
          { begin, limit: longestDownload },
          async (response, body) => {
            const type = response.headers.get('content-type') ?? ''
            return save({ type, stamp: stampFrom(response), body: bounded(body, largestFile) })
          },
        ),
      ),
    async stampOf(path, { asPublic, timeout }) {
      try {
        const limits = { begin: timeout, limit: timeout }
        return await request(path, { method: 'HEAD', asPublic }, limits, async (response) =>
          stampFrom(response),
        )
      } catch (err) {
        if (err instanceof Error && ('failure' in err || isRefusal(err))) return null
        failed()
        throw worded(err, path)
      }
    },
    isFailing,
    close() {
      closing.abort(new Error('The content service is being closed.'))
    },
  }
}
