import Tokens from 'csrf'
import csurf from 'csurf'
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { failure } from '#shared/failures.ts'
import { isSafe } from './methods.ts'

const csrfName = 'X-CSRF-TOKEN'
const wellFormed = /^[0-9a-f]{32}$/

/**
 * Only lets unsafe methods through from our own pages: checks `Sec-Fetch-Site`, else `Origin` against
 * the host. Browsers always send one of them; without either, the request passes.
 * @param siteUrl the public origin; behind a proxy the Host header may differ
 * @param open paths that other sites may post to: authorised by a secret in the path, not by cookies
 */
export function sameOrigin({
  siteUrl,
  open = [],
}: {
  siteUrl: string
  open?: readonly RegExp[]
}): RequestHandler {
  return (request, _, next) => {
    const allowed =
      isSafe(request.method) ||
      comesFromUs(request, siteUrl) ||
      open.some((path) => path.test(request.path))
    next(allowed ? undefined : failure('forbidden'))
  }
}

function comesFromUs(request: Request, siteUrl: string): boolean {
  const site = request.get('sec-fetch-site')
  const origin = request.get('origin')
  // Forms on pages with no-referrer send Origin: null.
  if (site === 'same-origin') return true
  if (site !== undefined && site !== 'none') return false
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  return origin === siteUrl || new URL(origin).host === request.get('host')
}

/**
 * The double-submit check (docs/contract.md, Security): the X-CSRF-TOKEN cookie must be 32 hex
 * characters and the header of the same name must equal it. csurf uses the cookie as its secret and
 * compares it in constant time with a token derived from the header. Requests without a well-formed
 * cookie never reach csurf, which would set its own.
 */
export function csrf(): RequestHandler {
  const tokens = new Tokens()
  const compare = csurf({
    cookie: { key: csrfName, path: '/', sameSite: 'lax' },
    value: (request) => tokens.create(request.get(csrfName) ?? ''),
  })
  return (request: Request, response: Response, next: NextFunction) => {
    if (isSafe(request.method)) return next()
    const cookie: unknown = request.cookies?.[csrfName]
    const known = typeof cookie === 'string' && wellFormed.test(cookie)
    const sent = request.get(csrfName) ?? ''
    // The browser makes both at once, so only the cookie can have been blocked.
    if (cookie === undefined && wellFormed.test(sent)) return next(withoutCookie())
    if (!known || !sent) return next(refused())
    compare(request, response, (error?: unknown) => next(error ? refused() : undefined))
  }
}

const refused = () =>
  failure('forbidden', {
    message: 'The security token is missing or wrong. Reload the page and try again.',
  })

const withoutCookie = () =>
  failure('forbidden', {
    message: 'Your browser blocks our security cookie. Please allow cookies for this site.',
  })
