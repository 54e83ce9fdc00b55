import cookieParser from 'cookie-parser'
import express, { type RequestHandler } from 'express'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { failure } from '#shared/failures.ts'
import { aboutRoutes } from './about/routes.ts'
import { loadAssets } from './assets.ts'
import { clientRoutes } from './clients/routes.ts'
import { sessionCookie } from './clients/sessions.ts'
import type { Context } from './context.ts'
import { contactRoutes } from './contact/routes.ts'
import { contentRoutes } from './content/routes.ts'
import { folderRoutes } from './folders/routes.ts'
import { createFront } from './front.ts'
import { healthRoutes } from './health.ts'
import { createEndpoints } from './http/endpoints.ts'
import { failures } from './http/failures.ts'
import { csrf, sameOrigin, securityHeaders } from './http/guards.ts'
import { createLimits } from './http/limits.ts'
import { trailingSlash } from './http/trailing-slash.ts'
import { requestContexts } from './http/request-context.ts'
import { createRedirect } from './links/redirect.ts'
import { linkRoutes } from './links/routes.ts'
import { logRoutes } from './logs/routes.ts'
import { analyticsRoutes } from './analytics/routes.ts'
import { consentRoutes } from './consent/routes.ts'
import { leavePaths, newsletterRoutes } from './newsletter/routes.ts'
import { newsRoutes } from './news/routes.ts'
import { createPages, type Pages } from './pages.ts'
import { portfolioRoutes } from './portfolio/routes.ts'
import type { Renderer } from './renderer.ts'
import { serviceRoutes } from './services/routes.ts'
import { seoRoutes } from './seo/routes.ts'
import { createSiteFiles } from './seo/site-files.ts'
import { searchRoutes } from './search/routes.ts'
import { configuredOrigins, siteConfigRoutes } from './site-config.ts'

/** The site as a request listener, with the handles that its owner needs. */
export type App = {
  listener: (request: IncomingMessage, response: ServerResponse) => void
  pages: Pages
}

/**
 * Composes the site; read it as a table of contents. The order matters where a comment says so.
 * It never listens: `main.ts` and the tests do.
 * @param options what a benchmark switches off: finished pages, and limits
 */
export function createApp(
  context: Context,
  renderer: Renderer,
  { keepPages = true, limited = true }: { keepPages?: boolean; limited?: boolean } = {},
): App {
  const { config, log, access, clock, content, clients } = context
  const https = config.siteUrl.startsWith('https:')
  const limits = createLimits({ limited })
  const commonHeaders = recordHeaders(securityHeaders({ https }))
  const files = createSiteFiles(context, commonHeaders)
  const endpoints = createEndpoints({ limits, csrf: csrf() })
  const app = express()
  app.set('trust proxy', config.trustProxy)
  app.set('query parser', 'simple')
  app.set('etag', false)
  app.disable('x-powered-by')

  app.use(requestContexts({ access, clock, sessions: clients, cookieName: sessionCookie(config) }))
  app.use(securityHeaders({ https }))
  if (renderer.middleware) app.use(renderer.middleware)
  app.use(cookieParser())
  app.use(sameOrigin({ siteUrl: config.siteUrl, open: [leavePaths] }))
  app.use('/api', limits.write)

  app.use(contactRoutes(context, endpoints, limits))
  app.use(contentRoutes(context, endpoints, limits))
  searchRoutes(context, endpoints)
  app.use(seoRoutes(context, endpoints, limits, files.sitemap))
  newsRoutes(context, endpoints)
  portfolioRoutes(context, endpoints)
  serviceRoutes(context, endpoints)
  aboutRoutes(context, endpoints)
  app.use(newsletterRoutes(context, limits))
  consentRoutes(context, endpoints)
  analyticsRoutes(context, endpoints)
  siteConfigRoutes(context, endpoints)
  app.use(clientRoutes(context, endpoints, limits))
  app.use(folderRoutes(context, endpoints, limits))
  app.use(linkRoutes(context, endpoints, limits))
  app.use(logRoutes(context, endpoints, limits, renderer))
  app.use(healthRoutes(context))
  app.use(endpoints.router)
  app.use('/api', (_request, _response, next) =>
    next(failure('missing', { message: 'There is no such address in this API.' })),
  )

  // Pages match everything, so they come last.
  const pages = createPages({
    renderer,
    keepPages,
    log,
    clock,
    siteUrl: config.siteUrl,
    apiFor: endpoints.apiFor,
    contentVersion: content.version,
    commonHeaders,
    policyOrigins: configuredOrigins(config),
  })
  app.use(trailingSlash)
  app.use(pages.router)
  app.use((_request, response, next) => {
    response.setHeader('Allow', 'GET, HEAD')
    next(failure('wrong-method'))
  })
  app.use(failures({ log }))
  content.onChange(pages.refresh)
  content.onChange(files.renew)

  const assets = loadAssets(commonHeaders, { built: !renderer.development })
  const redirect = createRedirect(context, commonHeaders)
  return { pages, listener: createFront(context, { pages, files, assets }, redirect, app) }
}

/** The headers that a middleware sets, recorded once for replies that do not run through it. */
function recordHeaders(middleware: RequestHandler): Record<string, string> {
  const headers: Record<string, string> = {}
  const response = {
    setHeader: (name: string, value: string) => void (headers[name] = value),
    removeHeader: (name: string) => void delete headers[name],
  }
  middleware({} as never, response as never, () => {})
  return headers
}
