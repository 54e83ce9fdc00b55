import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { preferred, type Encoding, type Encodings } from './http/encoding.ts'
import { readyHead, sendHead, type ReadyHead } from './http/ready-head.ts'
import { millisecondsSince, network, nextId } from './http/request-context.ts'
import { loggedPath } from './logs/private-paths.ts'
import type { AccessLog } from './log.ts'

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
