import { createHash } from 'node:crypto'
import csurf from 'csurf'
import Tokens from 'csrf'
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import helmet from 'helmet'
import { failure } from '#shared/failures.ts'

const csrfName = 'X-CSRF-TOKEN'
const wellFormed = /^[0-9a-f]{32}$/

/** Express middleware: gives every reply its security headers, by helmet. */
export function securityHeaders({ https }: { https: boolean }): RequestHandler[] {
  return [
    (_request, response, next) => {
      response.setHeader('Permissions-Policy', permissions)
      response.setHeader('Content-Security-Policy', closedPolicy)
      next()
    },
    helmet({
      contentSecurityPolicy: false,
      strictTransportSecurity: https && {
        maxAge: 63_072_000,
        includeSubDomains: true,
        preload: true,
      },
      referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
      frameguard: { action: 'sameorigin' },
    }),
  ]
}

/**
 * The security headers as a list, for what is answered ahead of the middleware: the very ones of
 * {@link securityHeaders}, with which a test compares them. Pages bring a Content-Security-Policy of their own, see {@link pagePolicy};
 * everything else gets the closed one.
 */
export const commonHeaders = ({ https }: { https: boolean }): Readonly<Record<string, string>> => ({
  'Permissions-Policy': permissions,
  'Content-Security-Policy': closedPolicy,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  ...(https && { 'Strict-Transport-Security': 'max-age=63072000; includeSubDomains; preload' }),
  'X-Content-Type-Options': 'nosniff',
  'X-DNS-Prefetch-Control': 'off',
  'X-Download-Options': 'noopen',
  'X-Frame-Options': 'SAMEORIGIN',
  'X-Permitted-Cross-Domain-Policies': 'none',
  'X-XSS-Protection': '0',
})

const permissions =
  'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), midi=(), payment=(), usb=(), browsing-topics=()'

/** The policy of everything that is not a page: nothing may load or run. */
export const closedPolicy =
  "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

/** Other origins that pages may load from, send to or post forms to. */
export type PageOrigins = {
  script?: readonly string[]
  connect?: readonly string[]
  form?: readonly string[]
}

/**
 * The policy of a page.
 * @param scripts sources of inline scripts: `'nonce-…'` or `'sha256-…'`
 * @param more origins that the configuration adds (analytics, newsletter), and those of pictures that
 *   content takes from elsewhere
 */
export function pagePolicy(
  scripts: readonly string[],
  more: PageOrigins & { style?: readonly string[]; image?: readonly string[] } = {},
  { development = false, https = false }: { development?: boolean; https?: boolean } = {},
): string {
  const list = (...sources: readonly string[]) => sources.join(' ')
  return [
    "default-src 'self'",
    `script-src ${list("'self'", ...scripts, ...(more.script ?? []))}`,
    // The development server injects style elements for hot replacement.
    `style-src ${list("'self'", ...(more.style ?? []), ...(development ? ["'unsafe-inline'"] : []))}`,
    `img-src ${list("'self'", 'data:', ...(more.connect ?? []), ...(more.image ?? []))}`,
    "font-src 'self'",
    `connect-src ${list("'self'", ...(development ? ['ws:'] : []), ...(more.connect ?? []))}`,
    "media-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    `form-action ${list("'self'", ...(more.form ?? []))}`,
    ...(https ? ['upgrade-insecure-requests'] : []),
  ].join('; ')
}

/** The source of an inline script or style sheet, for a Content-Security-Policy (CSP3, 2.3.1). */
export const hashSource = (text: string) =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/**
 * Lets an unsafe method through only from our own pages: by `Sec-Fetch-Site`, else by `Origin`
 * against the host. A request with neither comes from no browser and passes; browsers always
 * send one of them.
 * @param siteUrl the public origin, which a proxy may have hidden from the Host header
 * @param open paths that others may post to: a secret in the path is all the right there is, and
 *   no cookie is looked at
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
  // A form on a page that tells no referrer has "null" as its origin.
  if (site === 'same-origin') return true
  if (site !== undefined && site !== 'none') return false
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  return origin === siteUrl || new URL(origin).host === request.get('host')
}

/** Whether a method only reads. */
export const isSafe = (method: string) => ['GET', 'HEAD', 'OPTIONS'].includes(method)

/**
 * The double-submit check (docs/contract.md, Security): the X-CSRF-TOKEN cookie must be 32 hex
 * characters and the header of that name must equal it. csurf takes the cookie as its secret and
 * compares it with a token derived from the header, in constant time. A request without a
 * well-formed cookie never reaches csurf, which would set a cookie of its own.
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
    if (!known || !request.get(csrfName)) return next(refused())
    compare(request, response, (error?: unknown) => next(error ? refused() : undefined))
  }
}

const refused = () =>
  failure('forbidden', {
    message: 'The security token is missing or wrong. Reload the page and try again.',
  })
