import type { Logger } from 'pino'
import { unavailable } from '../unavailable.ts'
import { bounded, createRequest, isRefusal, refusal, stampFrom } from './request.ts'
import { createTraffic, type Urgency } from './traffic.ts'

/** One good reply of a Directus. */
export type Reply = {
  status: number
  type: string
  tag: string | null
  body: Buffer
}

/** A file on its way. */
export type Download = { type: string; stamp: string; body: AsyncIterable<Buffer> }

/** A Directus client with retries. */
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
    options: {
      urgency: Urgency
      retryFor: number
      tag?: string | null
      accept: (reply: Reply) => Promise<Value>
    },
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
  /** Whether the service failed a moment ago, so waiting for it is no use. */
  isFailing(): boolean
  close(): void
}

/** How long failed tries of a file are followed by others, and how long it may take to begin. */
const fileRetryFor = 6_000
/** Maximum milliseconds per try. */
const maxReplyMs = 60_000
const maxDownloadMs = 5 * 60_000
/** In bytes: the longest reply that is read, and what replies may take of the memory together. */
const largestBody = 64 * 1024 * 1024
const largestTogether = 96 * 1024 * 1024
/** In bytes. */
const largestFile = 512 * 1024 * 1024

const tooMuch = 'replies of the content service take too much memory together'

/**
 * Creates a client that copes with a Directus under pressure: bursts of 503, 429 with Retry-After 0,
 * 401 for a stale token on public data, replies that never end.
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
  const { persist, isFailing } = createTraffic(closing.signal)
  /** Bytes of replies in the memory. */
  let held = 0

  /** Takes all of a body, which counts as held while it's used. */
  async function whole<Value>(
    body: AsyncIterable<Buffer>,
    use: (body: Buffer) => Promise<Value>,
  ): Promise<Value> {
    const all: Buffer[] = []
    let size = 0
    try {
      for await (const piece of bounded(body, largestBody)) {
        all.push(piece)
        size += piece.length
        held += piece.length
        // It comes again once the others are through: after a failure there is one at a time.
        if (held > largestTogether) throw unavailable(503, { cause: new Error(tooMuch) })
      }
      return await use(Buffer.concat(all))
    } finally {
      held -= size
    }
  }

  return {
    get: (path, { urgency, retryFor, tag, accept }) =>
      persist(path, { urgency, retryFor }, (begin) =>
        request(path, { tag }, { begin, limit: maxReplyMs }, async ({ status, headers }, body) =>
          whole(body, (bytes) =>
            accept({
              status,
              type: headers.get('content-type') ?? '',
              tag: headers.get('etag'),
              body: bytes,
            }),
          ),
        ),
      ),
    download: (path, { asPublic, save }) =>
      persist(path, { urgency: 'file', retryFor: fileRetryFor }, (begin) =>
        request(
          path,
          { asPublic, isFile: true },
          { begin, limit: maxDownloadMs },
          async (response, body) => {
            const length = Number(response.headers.get('content-length'))
            if (length > largestFile) throw refusal(413, 'The file is too large.')
            const type = response.headers.get('content-type') ?? ''
            return save({ type, stamp: stampFrom(response), body: bounded(body, largestFile) })
          },
        ),
      ),
    stampOf(path, { asPublic, timeout }) {
      const limits = { begin: timeout, limit: timeout }
      return persist(path, { urgency: 'file', retryFor: timeout, tries: 1 }, () =>
        request(path, { method: 'HEAD', asPublic }, limits, async (response) =>
          stampFrom(response),
        ).catch((err: unknown) => {
          // A HEAD has no body that would tell the service's own no from that of a proxy.
          if (isRefusal(err) || isNo(err)) return null
          throw err
        }),
      )
    },
    isFailing,
    close() {
      closing.abort(new Error('The content service is being closed.'))
    },
  }
}

/** Whether a reply says no, as 403 and 404 do, and not that the service has trouble. */
const isNo = (err: unknown): boolean =>
  err instanceof Error &&
  'upstream' in err &&
  Number(err.upstream) >= 400 &&
  Number(err.upstream) < 500 &&
  err.upstream !== 429
