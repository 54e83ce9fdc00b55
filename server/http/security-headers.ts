import { createHash } from 'node:crypto'
import type { RequestHandler } from 'express'
import helmet from 'helmet'

/** The configuration of the security headers. */
export type HeaderSettings = {
  /** Strict-Transport-Security; null without https. */
  hsts: string | null
  /** Whether search engines may index the site. */
  indexing: boolean
}

/** Middleware that sets the security headers, with helmet. */
export function securityHeaders({ hsts, indexing }: HeaderSettings): RequestHandler[] {
  return [
    (_request, response, next) => {
      if (hsts !== null) response.setHeader('Strict-Transport-Security', hsts)
      if (!indexing) response.setHeader('X-Robots-Tag', 'noindex, nofollow')
      response.setHeader('Permissions-Policy', permissions)
      response.setHeader('Content-Security-Policy', closedPolicy)
      next()
    },
    helmet({
      contentSecurityPolicy: false,
      // Set above, from the configuration.
      strictTransportSecurity: false,
      referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
      frameguard: { action: 'sameorigin' },
    }),
  ]
}

/** The Content-Security-Policy of customers' and clients' files: whatever a file is, nothing in it runs here. */
export const sandboxPolicy = "sandbox; default-src 'none'; frame-ancestors 'none'"

/**
 * The same headers as {@link securityHeaders} (a test compares them), for replies ahead of the
 * middleware. Pages have their own Content-Security-Policy, see {@link pagePolicy}; everything else
 * gets the closed one.
 */
export const commonHeaders = ({
  hsts,
  indexing,
}: HeaderSettings): Readonly<Record<string, string>> => ({
  'Permissions-Policy': permissions,
  'Content-Security-Policy': closedPolicy,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  ...(hsts !== null && { 'Strict-Transport-Security': hsts }),
  ...(!indexing && { 'X-Robots-Tag': 'noindex, nofollow' }),
  'X-Content-Type-Options': 'nosniff',
  'X-DNS-Prefetch-Control': 'off',
  'X-Download-Options': 'noopen',
  'X-Frame-Options': 'SAMEORIGIN',
  'X-Permitted-Cross-Domain-Policies': 'none',
  'X-XSS-Protection': '0',
})

const permissions =
  'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), midi=(), payment=(), usb=(), browsing-topics=()'

/** The policy of everything but pages: nothing may load or run. */
export const closedPolicy =
  "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

/** Other origins that pages may load from, send to or post forms to. */
export type PageOrigins = {
  script?: readonly string[]
  connect?: readonly string[]
  form?: readonly string[]
}

/**
 * The Content-Security-Policy of a page.
 * @param scripts sources of inline scripts: `'nonce-…'` or `'sha256-…'`
 * @param more origins added by the configuration (analytics, newsletter) and by external pictures in
 *   content; `frame` lists sites that may frame the page
 */
export function pagePolicy(
  scripts: readonly string[],
  more: PageOrigins & {
    style?: readonly string[]
    image?: readonly string[]
    frame?: readonly string[]
  } = {},
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
    `frame-ancestors ${list("'self'", ...(more.frame ?? []))}`,
    `form-action ${list("'self'", ...(more.form ?? []))}`,
    ...(https ? ['upgrade-insecure-requests'] : []),
  ].join('; ')
}

/**
 * Decides which other sites may frame a page.
 * @returns the sites for a request URL; none except for `page`
 */
export const createFraming =
  (page: string, ancestors: readonly string[]) =>
  (url: string): readonly string[] =>
    url.split('?', 1)[0] === page ? ancestors : []

/** See {@link createFraming}. */
export type Framing = ReturnType<typeof createFraming>

/** The source of an inline script or style sheet, for a Content-Security-Policy (CSP3, 2.3.1). */
export const hashSource = (text: string) =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`
