import type { NextFunction, Request, Response, RequestHandler } from 'express'
import { failure } from '#shared/failures.ts'
import type { AccessLog } from '../logging/log.ts'
import { clientNetwork, type ClientAddress } from './connections/client-address.ts'
import { millisecondsSince, nextId, type LoggedPath } from './request-log.ts'

/** What handlers and pages may know about a request. */
export type RequestContext = {
  /** In the X-Request-Id header, on error pages and in every log line of the request. */
  readonly id: string
  /** The client's address, subject to TRUST_PROXY. */
  readonly address: string
  /** When the request started, in milliseconds since the epoch. */
  readonly at: number
  /** Path and query as asked for. */
  readonly url: string
  readonly userAgent: string
  /** Fields of the parsed body; empty without one. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly cookies: Readonly<Record<string, string>>
  /** A request header by name; null if missing. */
  header(name: string): string | null
  /** Who is signed in; looked up lazily, once. */
  readonly session: Session | null
  /** Who is signed in at a later time, for long-lived connections. */
  sessionAt(now: number): Session | null
  setCookie(name: string, value: string, options: CookieOptions): void
}

/** The Express cookie options in use; maxAge in milliseconds. */
type CookieOptions = {
  httpOnly?: boolean
  sameSite?: 'lax' | 'strict'
  secure?: boolean
  path?: string
  maxAge?: number
}

/** Middleware that gives requests their context and writes the access log line at their end. */
export function requestContexts({
  accessLog,
  clock,
  clientAddress,
  findSession,
  loggedPath,
}: {
  accessLog: AccessLog
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
      accessLog({
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

/**
 * Who is signed in, as far as every request has to know; the feature that finds sessions knows more.
 * Times are milliseconds since the epoch.
 */
export type Session = {
  readonly name: string
  /** Who it is in timelines. */
  readonly actor: string
  /** Names of what may be done. */
  readonly scopes: ReadonlySet<string>
  /** The message when a scope is missing. */
  readonly refusal: string
  readonly expiresAt: number
}

/** Finds the session of a request by its cookies. */
export type FindSession = (
  cookies: Readonly<Record<string, unknown>>,
  now: number,
) => Session | null

/**
 * Returns the session of a request if it has a scope. Call before looking anything up, so a
 * refusal doesn't tell what exists.
 * @throws signed-out without a session, forbidden with one that lacks the scope
 */
export function sessionWith(scope: string, { session }: Pick<RequestContext, 'session'>): Session {
  if (!session) throw failure('signed-out')
  if (!session.scopes.has(scope)) {
    throw failure('forbidden', { message: session.refusal })
  }
  return session
}

/** Middleware form of {@link sessionWith}, for routes that aren't endpoints. */
export function requireScope(scope: string): RequestHandler {
  return (_request, response, next) => {
    sessionWith(scope, requestContextOf(response))
    next()
  }
}

/**
 * The name of a site-wide cookie. Over https its prefix keeps other hosts of the domain from planting
 * one (RFC 6265bis, 4.1.3.2): browsers only accept it with Secure, Path=/ and no Domain.
 */
export const cookieName = (name: string, { secure }: { secure: boolean }): string =>
  secure ? `__Host-${name}` : name
