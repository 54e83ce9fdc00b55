import type { NextFunction, Request, Response } from 'express'
import type { AccessLog } from '../log/access-log.ts'
import { clientNetwork, type ClientAddress } from './client-address.ts'
import { millisecondsSince, nextId, type LoggedPath } from './request-log.ts'
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
  /** The fields of the body that has been read; none without one. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly cookies: Readonly<Record<string, string>>
  /** A header of the request, by its name; null where it is not sent. */
  header(name: string): string | null
  /** Who is signed in; looked up once, when it is first asked for. */
  readonly session: Session | null
  /** Who is signed in at a later moment, for connections that stay open. */
  sessionAt(now: number): Session | null
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

/** Express middleware: gives the request its context and writes the access log line at its end. */
export function requestContexts({
  access,
  clock,
  clientAddress,
  findSession,
  loggedPath,
}: {
  access: AccessLog
  clock: () => number
  clientAddress: ClientAddress
  findSession: FindSession
  loggedPath: LoggedPath
}) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const at = clock()
    const started = performance.now()
    const id = nextId()
    let session: Session | null | undefined
    response.setHeader('X-Request-Id', id)
    response.locals.requestContext = {
      id,
      address: clientAddress(request),
      at,
      url: request.originalUrl,
      userAgent: request.get('user-agent') ?? '',
      get fields() {
        const body: unknown = request.body
        return body instanceof Object ? (body as Record<string, unknown>) : {}
      },
      header: (name) => request.get(name) ?? null,
      get cookies() {
        return (request.cookies ?? {}) as Record<string, string>
      },
      get session() {
        session = session === undefined ? findSession(this.cookies, at) : session
        return session
      },
      sessionAt(now) {
        return findSession(this.cookies, now)
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
        net: clientNetwork(requestContextOf(response).address),
        aborted: !response.writableFinished,
      })
    })
    next()
  }
}

/** The context that {@link requestContexts} gave to a request. */
export const requestContextOf = (response: Response): RequestContext =>
  response.locals.requestContext as RequestContext
