import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { readyHead, sendHead, type ReadyHead } from './http/ready-head.ts'
import { loggedPath, millisecondsSince, network, nextId } from './http/visit.ts'
import type { AccessLog } from './log.ts'

/** The encodings that a finished reply is kept in. */
export type Encoding = 'br' | 'gzip' | 'identity'

/** A reply as bytes, each encoding with the complete headers that go with it. */
export type Finished = Readonly<Record<Encoding, FinishedBody>>

/** One encoding of a {@link Finished} reply. */
export type FinishedBody = {
  readonly etag: string
  /** The Last-Modified header as milliseconds of the epoch, if there is one. */
  readonly modifiedAt: number | null
  readonly bytes: Buffer
  /** The headers of a 200 and of a 304. */
  readonly ok: ReadyHead
  readonly notModified: ReadyHead
}

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** The same bytes, as they are and as far as they get smaller by compression. */
export type Encodings = { identity: Buffer; br?: Buffer; gzip?: Buffer }

/** Compresses bytes that are sent many times; `quality` is brotli's, 0 to 11. */
export async function compress(identity: Buffer, quality: number): Promise<Encodings> {
  const [br, gz] = await Promise.all([
    brotli(identity, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: quality,
        [constants.BROTLI_PARAM_SIZE_HINT]: identity.length,
        // A window that is larger than the text only costs memory.
        [constants.BROTLI_PARAM_LGWIN]: windowFor(identity.length),
      },
    }),
    zip(identity, { level: 9 }),
  ])
  return { identity, br, gzip: gz }
}

/** The logarithm of the smallest brotli window that holds a text. */
const windowFor = (bytes: number) => Math.min(22, Math.max(16, Math.ceil(Math.log2(bytes + 16))))

/**
 * Finishes a reply: every encoding gets an ETag of its own (RFC 9110, 8.8.3); one that is not
 * there is answered with the plain bytes.
 * @param headers complete but for length, encoding, ETag and Vary
 */
export function finish(
  { identity, br, gzip: gz }: Encodings,
  headers: Readonly<Record<string, string>>,
): Finished {
  const tag = createHash('sha256').update(identity).digest('base64url').slice(0, 20)
  const { 'Content-Type': type = 'application/octet-stream', ...base } = headers
  const modified = headers['Last-Modified']
  const modifiedAt = modified === undefined ? null : Date.parse(modified)
  const body = (bytes: Buffer, encoding: Encoding): FinishedBody => {
    const etag = `"${tag}${encoding === 'identity' ? '' : `-${encoding}`}"`
    const common = { ...base, Vary: 'Accept-Encoding', ETag: etag }
    return {
      etag,
      modifiedAt,
      bytes,
      // Whoever gets a 304 goes on with the headers that are kept with the copy (RFC 9110, 15.4.5).
      notModified: readyHead(304, {
        ...(base['Cache-Control'] && { 'Cache-Control': base['Cache-Control'] }),
        Vary: common.Vary,
        ETag: etag,
      }),
      ok: readyHead(200, {
        ...common,
        'Content-Type': type,
        ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
        'Content-Length': String(bytes.length),
      }),
    }
  }
  const plain = body(identity, 'identity')
  return {
    identity: plain,
    br: br ? body(br, 'br') : plain,
    gzip: gz ? body(gz, 'gzip') : plain,
  }
}

/** Sends a finished reply, or a 304 to who has it already, and writes its log line. */
export function sendFinished(
  request: IncomingMessage,
  response: ServerResponse,
  finished: Finished,
  access: AccessLog,
): void {
  const started = performance.now()
  const { method = 'GET', url = '/' } = request
  const id = nextId()
  const matched = alreadyThere(request.headers, finished)
  const body = finished[preferred(request.headers['accept-encoding'])]
  sendHead(response, matched ? matched.notModified : body.ok, id)
  response.end(matched || method === 'HEAD' ? undefined : body.bytes)
  access({
    id,
    method,
    path: loggedPath(url),
    status: matched ? 304 : 200,
    ms: millisecondsSince(started),
    net: network(request.socket.remoteAddress ?? ''),
    from: 'memory',
  })
}

/** Headers that browsers send, as far as they have been looked at. */
const preferences = new Map<string, Encoding>()
const mostPreferences = 200

/** The best encoding that a client takes. */
function preferred(accepted: string | undefined): Encoding {
  if (accepted === undefined) return 'identity'
  let encoding = preferences.get(accepted)
  if (encoding === undefined) {
    if (preferences.size >= mostPreferences) preferences.clear()
    preferences.set(accepted, (encoding = best(accepted)))
  }
  return encoding
}

/** The best encoding by an Accept-Encoding header; a `q=0` is a refusal (RFC 9110, 12.5.3). */
const best = (accepted: string): Encoding =>
  takes(accepted, 'br') ? 'br' : takes(accepted, 'gzip') ? 'gzip' : 'identity'

const takes = (accepted: string, encoding: 'br' | 'gzip') =>
  accepted.includes(encoding) && !refusals[encoding].test(accepted)

const refusals = {
  br: /\bbr\s*;\s*q=0(\.0*)?\s*(,|$)/,
  gzip: /\bgzip\s*;\s*q=0(\.0*)?\s*(,|$)/,
}

/** The encoding whose ETag stands in an `If-None-Match` header; `*` means any (RFC 9110, 13.1.2). */
export function namedIn(tags: string, { br, gzip: gz, identity }: Finished) {
  for (const body of [br, gz, identity]) if (tags.includes(body.etag)) return body
  return tags === '*' ? identity : undefined
}

/**
 * What a conditional request has already: the encoding that its `If-None-Match` names, since
 * whichever it is, the client has the same text; without one, `If-Modified-Since` decides.
 */
function alreadyThere(
  asked: IncomingMessage['headers'],
  finished: Finished,
): FinishedBody | undefined {
  const wanted = asked['if-none-match']
  if (wanted !== undefined) return namedIn(wanted, finished)
  const { identity } = finished
  const since = asked['if-modified-since']
  if (since === undefined || identity.modifiedAt === null) return undefined
  return Date.parse(since) >= identity.modifiedAt ? identity : undefined
}
