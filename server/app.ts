import cookieParser from 'cookie-parser'
import express from 'express'
import type { RequestListener } from 'node:http'
import { failure } from '#shared/failures.ts'
import { aboutRoutes } from './about/routes.ts'
import { loadAssets } from './assets.ts'
import { clientRoutes } from './clients/routes.ts'
import { sessionCookie } from './clients/sessions.ts'
import type { Context } from './context.ts'
import { contactRoutes } from './contact/routes.ts'
import { contentRoutes } from './content/routes.ts'
import { folderRoutes } from './folders/routes.ts'
import { healthRoutes } from './health.ts'
import { bodyLimit } from './http/body-limit.ts'
import { createClientAddress } from './http/client-address.ts'
import { createEarlyResponses } from './http/early-responses.ts'
import { createEndpoints } from './http/endpoints.ts'
import { withErrorBoundary } from './http/error-boundary.ts'
import { failures } from './http/failures.ts'
import { commonHeaders, csrf, sameOrigin, securityHeaders } from './http/guards.ts'
import { createLimits, createRateLimits } from './http/limits.ts'
import { createPlainReplies } from './http/plain-reply.ts'
import { requestContexts } from './http/request-context.ts'
import { createEarlyLog } from './http/request-log.ts'
import { createRedirect } from './links/redirect.ts'
import { linkRoutes } from './links/routes.ts'
import { logRoutes } from './logs/routes.ts'
import { consentRoutes } from './consent/routes.ts'
import { leavePaths, newsletterRoutes } from './newsletter/routes.ts'
import { newsRoutes } from './news/routes.ts'
import { createPages, type Pages } from './pages/pages.ts'
import { portfolioRoutes } from './portfolio/routes.ts'
import type { Renderer } from './renderer.ts'
import { serviceRoutes } from './services/routes.ts'
import { seoRoutes } from './seo/routes.ts'
import { createSiteFiles } from './seo/site-files.ts'
import { searchRoutes } from './search/routes.ts'
import { configuredOrigins, siteConfigRoutes } from './site-config.ts'

/** The site as a request listener, with the handles that its owner needs. */
export type App = {
  listener: RequestListener
  pages: Pages
}

/**
 * Composes the site; read it as a table of contents. The order matters where a comment says so.
 * It never listens: `main.ts` and the tests do.
 * @param options what a benchmark switches off: cached pages, and limits
 */
export function createApp(
  context: Context,
  renderer: Renderer,
  { keepPages = true, limited = true }: { keepPages?: boolean; limited?: boolean } = {},
): App {
  const { config, log, access, clock, siteVersion, clients } = context
  const { features } = context.contributions()
  const https = config.siteUrl.startsWith('https:')
  const limits = createLimits({ limited })
  const headers = commonHeaders({ https })
  const files = createSiteFiles(context, headers)
  const limit = createRateLimits({ limited })
  const endpoints = createEndpoints({ limits, limit, csrf: csrf(), log })
  const openPaths: RegExp[] = [leavePaths]
  const clientAddress = createClientAddress(config.trustProxy)
  const app = express()
  app.set('trust proxy', config.trustProxy)
  app.set('query parser', 'simple')
  app.set('etag', false)
  app.disable('x-powered-by')

  const cookieName = sessionCookie(config)
  app.use(requestContexts({ access, clock, clientAddress, sessions: clients, cookieName }))
  app.use(securityHeaders({ https }))
  app.use(bodyLimit)
  if (renderer.middleware) app.use(renderer.middleware)
  app.use(cookieParser())
  app.use(sameOrigin({ siteUrl: config.siteUrl, open: openPaths }))
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
  siteConfigRoutes(context, endpoints)
  app.use(clientRoutes(context, endpoints, limits))
  app.use(folderRoutes(context, endpoints, limits))
  app.use(linkRoutes(context, endpoints, limits))
  app.use(logRoutes(context, endpoints, limits, renderer))
  app.use(healthRoutes(context))
  const plain = createPlainReplies(context)
  for (const feature of features) {
    feature.routes?.({
      endpoints,
      limit,
      plain,
      mount: (handler) => void app.use(handler),
      openPath: (path) => void openPaths.push(path),
    })
  }
  app.use(endpoints.router)
  app.use('/api', (_request, _response, next) =>
    next(failure('missing', { message: 'There is no such address in this API.' })),
  )

  // Pages match everything, so they come last.
  const origins = configuredOrigins(config)
  const pages = createPages({
    renderer,
    keepPages,
    log,
    clock,
    siteUrl: config.siteUrl,
    apiFor: endpoints.apiFor,
    contentVersion: siteVersion.version,
    commonHeaders: headers,
    policyOrigins: () => ({ ...origins, image: context.content.pictureOrigins() }),
    limit: limits.pages,
  })
  app.use(pages.router)
  app.use((_request, response, next) => {
    response.setHeader('Allow', 'GET, HEAD')
    next(failure('wrong-method'))
  })
  app.use(failures({ log }))
  siteVersion.onChange(pages.refresh)
  siteVersion.onChange(files.renew)

  const assets = loadAssets(headers, { built: !renderer.development })
  const earlyLog = createEarlyLog(access, clientAddress)
  const redirect = createRedirect(context, headers, earlyLog)
  const early = createEarlyResponses(earlyLog, { pages, files, assets }, redirect, app)
  return { pages, listener: withErrorBoundary(early, { log, headers }) }
}
