import { randomBytes } from 'node:crypto'
import type { NextFunction, Request, Response } from 'express'
import type { Logger } from 'pino'

/** The facts of one request that answers and pages may know. */
export type Visit = {
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

/** Express middleware: gives the request its visit and writes the access log line at its end. */
export function visits({ log, clock }: { log: Logger; clock: () => number }) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const at = clock()
    const started = performance.now()
    const id = nextId()
    response.setHeader('X-Request-Id', id)
    response.locals.visit = {
      id,
      address: request.ip ?? request.socket.remoteAddress ?? '',
      at,
      url: request.originalUrl,
      userAgent: request.get('user-agent') ?? '',
      proof: request.get('x-form-proof') ?? null,
      get cookies() {
        return (request.cookies ?? {}) as Record<string, string>
      },
      setCookie: (name, value, options) => void response.cookie(name, value, options),
    } satisfies Visit
    response.once('close', () => {
      logAccess(log, {
        id,
        method: request.method,
        url: request.originalUrl,
        status: response.statusCode,
        started,
        address: visitOf(response).address,
        aborted: !response.writableFinished,
      })
    })
    next()
  }
}

/** The visit that {@link visits} gave to a request. */
export const visitOf = (response: Response): Visit => response.locals.visit as Visit

/**
 * Writes the log line of a finished request. Queries may carry tokens, so only the path is
 * written; addresses are shortened to their network.
 */
export function logAccess(
  log: Logger,
  {
    id,
    method,
    url,
    status,
    started,
    address,
    aborted = false,
    from,
  }: {
    id: string
    method: string
    url: string
    status: number
    started: number
    address: string
    aborted?: boolean
    from?: 'memory'
  },
): void {
  const query = url.indexOf('?')
  log.info(
    {
      id,
      method,
      path: privatePath(query < 0 ? url : url.slice(0, query)),
      status,
      ms: Math.round((performance.now() - started) * 100) / 100,
      net: network(address),
      ...(from && { from }),
      ...(aborted && { aborted }),
    },
    'request',
  )
}

/** Shared folders and panels are opened by what stands in their path, so the log keeps only its start. */
function privatePath(path: string): string {
  return path.replace(/^\/(s|panel)\/([^/]{1,4})[^/]*/, '/$1/$2…')
}

/** An address without its host part: IPv4 to /24, IPv6 to /48. */
function network(address: string): string {
  const v4 = address.match(/(\d+\.\d+\.\d+)\.\d+$/)
  if (v4) return `${v4[1]}.0`
  return address.includes(':') ? `${address.split(':').slice(0, 3).join(':')}::` : address
}
