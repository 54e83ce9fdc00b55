import { randomBytes } from 'node:crypto'
import type { NextFunction, Request, Response } from 'express'
import type { AccessLog } from '../log.ts'
import type { FindSession, Session } from './session.ts'

/** The facts of one request that answers and pages may know. */
export type RequestContext = {
  /** In the X-Request-Id header, on error pages and in every log line of the request. */
  readonly id: string
  /** The client's address, as far as TRUST_PROXY lets it be known. */
  readonly address: string
  /** When the request began, in milliseconds of the epoch. */
  readonly at: number
  /** Path and query as asked for. */
  readonly url: string
  readonly userAgent: string
  /** The X-Form-Proof header. */
  readonly proof: string | null
  readonly cookies: Readonly<Record<string, string>>
  /** Who is signed in; looked up once, when it is first asked for. */
  readonly session: Session | null
  /** Sends a Set-Cookie header with the reply. */
  setCookie(name: string, value: string, options: CookieOptions): void
}

/** The part of Express' cookie options that the site uses; maxAge in milliseconds. */
export type CookieOptions = {
  httpOnly?: boolean
  sameSite?: 'lax' | 'strict'
  secure?: boolean
  path?: string
  maxAge?: number
}

const prefix = randomBytes(4).toString('hex')
let count = 0

/** A request id: unique in this process by its number, among processes by its random start. */
export const nextId = () => `${prefix}-${(count++).toString(36)}`

/** Express middleware: gives the request its request and writes the access log line at its end. */
export function requestContexts({
  access,
  clock,
  sessions,
  cookieName,
}: {
  access: AccessLog
  clock: () => number
  sessions: { sessionOf: FindSession }
  /** Of the cookie that sessions are found by. */
  cookieName: string
}) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const at = clock()
    const started = performance.now()
    const id = nextId()
    let session: Session | null | undefined
    response.setHeader('X-Request-Id', id)
    response.locals.requestContext = {
      id,
      address: request.ip ?? request.socket.remoteAddress ?? '',
      at,
      url: request.originalUrl,
      userAgent: request.get('user-agent') ?? '',
      proof: request.get('x-form-proof') ?? null,
      get cookies() {
        return (request.cookies ?? {}) as Record<string, string>
      },
      get session() {
        session = session === undefined ? sessions.sessionOf(this.cookies[cookieName], at) : session
        return session
      },
      setCookie: (name, value, options) => void response.cookie(name, value, options),
    } satisfies RequestContext
    response.once('close', () => {
      access({
        id,
        method: request.method,
        path: loggedPath(request.originalUrl),
        status: response.statusCode,
        ms: millisecondsSince(started),
        net: network(requestContextOf(response).address),
        aborted: !response.writableFinished,
      })
    })
    next()
  }
}

/** The request that {@link requestContexts} gave to a request. */
export const requestContextOf = (response: Response): RequestContext =>
  response.locals.requestContext as RequestContext

/** The path as the log may show it: without the query, and without what opens private pages. */
export function loggedPath(url: string): string {
  const query = url.indexOf('?')
  return privatePath(query < 0 ? url : url.slice(0, query))
}

/** Milliseconds since a reading of `performance.now()`, to two decimals. */
export const millisecondsSince = (started: number) =>
  Math.round((performance.now() - started) * 100) / 100

/**
 * Shared folders, panels and the newsletter's links are opened by what stands in their path, so the
 * log keeps only its start.
 */
function privatePath(path: string): string {
  // Routes take either case.
  if (!/^\/(?:s|panel|subscription)\//i.test(path)) return path
  return path.replace(/^(\/(?:s|panel|subscription\/[^/]+)\/[^/]{1,4})[^/]*/i, '$1…')
}

let lastAddress = ''
let lastNetwork = ''

/** An address without its host part: IPv4 to /24, IPv6 to /48. */
export function network(address: string): string {
  // Requests come in runs from one address.
  if (address !== lastAddress) {
    lastAddress = address
    lastNetwork = withoutHost(address)
  }
  return lastNetwork
}

function withoutHost(address: string): string {
  const dot = address.lastIndexOf('.')
  // An IPv4 address that came through an IPv6 socket starts with ::ffff:.
  if (dot > 0) return `${address.slice(address.lastIndexOf(':') + 1, dot)}.0`
  return address.includes(':') ? `${address.split(':').slice(0, 3).join(':')}::` : address
}
