import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { EarlyLog } from '../request-log.ts'
import { preferred, type Encoding, type Encodings } from './encoding.ts'

/** A reply as bytes, with complete headers for each encoding. */
export type CachedResponse = Readonly<Record<Encoding, CachedBody>>

/** One encoding of a {@link CachedResponse}. */
export type CachedBody = {
  readonly etag: string
  /** The Last-Modified header as milliseconds of the epoch, if there is one. */
  readonly modifiedAt: number | null
  readonly bytes: Buffer
  /** The headers of a 200 and of a 304, as flat lists of names and values for `writeHead`. */
  readonly ok: readonly string[]
  readonly notModified: readonly string[]
}

/**
 * Prepares a reply for being sent many times. Each encoding has its own ETag (RFC 9110, 8.8.3);
 * missing encodings fall back to identity.
 * @param headers all but length, encoding, ETag and Vary
 */
export function cachedResponse(
  { identity, br, gzip: gz }: Encodings,
  headers: Readonly<Record<string, string>>,
): CachedResponse {
  const tag = createHash('sha256').update(identity).digest('base64url').slice(0, 20)
  const { 'Content-Type': type = 'application/octet-stream', ...base } = headers
  const modified = headers['Last-Modified']
  const modifiedAt = modified === undefined ? null : Date.parse(modified)
  const body = (bytes: Buffer, encoding: Encoding): CachedBody => {
    const etag = `"${tag}${encoding === 'identity' ? '' : `-${encoding}`}"`
    const common = { ...base, Vary: 'Accept-Encoding', ETag: etag }
    return {
      etag,
      modifiedAt,
      bytes,
      // On a 304 clients keep the headers of their copy (RFC 9110, 15.4.5).
      notModified: flat({
        ...(base['Cache-Control'] && { 'Cache-Control': base['Cache-Control'] }),
        Vary: common.Vary,
        ETag: etag,
      }),
      ok: flat({
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

const flat = (headers: Readonly<Record<string, string>>) => Object.entries(headers).flat()

/** Sends a cached response, or a 304 where the browser has it already, and writes its log line. */
export function sendCached(
  request: IncomingMessage,
  response: ServerResponse,
  cached: CachedResponse,
  log: EarlyLog,
): void {
  const done = log(request, 'memory')
  const matched = alreadyThere(request.headers, cached)
  const body = cached[preferred(request.headers['accept-encoding'])]
  const status = matched ? 304 : 200
  response.writeHead(status, ['X-Request-Id', done.id, ...(matched?.notModified ?? body.ok)])
  response.end(matched || request.method === 'HEAD' ? undefined : body.bytes)
  done.write(status)
}

/** The encoding whose ETag is in an `If-None-Match` header; `*` means any (RFC 9110, 13.1.2). */
export function namedIn(tags: string, { br, gzip: gz, identity }: CachedResponse) {
  for (const body of [br, gz, identity]) if (tags.includes(body.etag)) return body
  return tags === '*' ? identity : undefined
}

/**
 * What a conditional request has already: the encoding that its `If-None-Match` names, since
 * whichever it is, the client has the same text; without one, `If-Modified-Since` decides.
 */
function alreadyThere(
  asked: IncomingMessage['headers'],
  cached: CachedResponse,
): CachedBody | undefined {
  const wanted = asked['if-none-match']
  if (wanted !== undefined) return namedIn(wanted, cached)
  const { identity } = cached
  const since = asked['if-modified-since']
  if (since === undefined || identity.modifiedAt === null) return undefined
  return Date.parse(since) >= identity.modifiedAt ? identity : undefined
}
