import cookieParser from 'cookie-parser'
import express, { type RequestHandler } from 'express'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { failure } from '#shared/failures.ts'
import { assetRoutes } from './assets.ts'
import type { Context } from './context.ts'
import { contactRoutes } from './contact/routes.ts'
import { contentRoutes } from './content/routes.ts'
import { healthRoutes } from './health.ts'
import { createEndpoints } from './http/endpoints.ts'
import { failures } from './http/failures.ts'
import { csrf, sameOrigin, securityHeaders } from './http/guards.ts'
import { createLimits } from './http/limits.ts'
import { visits } from './http/visit.ts'
import { createPages, type Pages } from './pages.ts'
import type { Renderer } from './renderer.ts'

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
  const { config, log, clock, content } = context
  const https = config.siteUrl.startsWith('https:')
  const limits = createLimits({ limited })
  const endpoints = createEndpoints({ limits, csrf: csrf() })
  const app = express()
  app.set('trust proxy', config.trustProxy)
  app.set('query parser', 'simple')
  app.set('etag', false)
  app.disable('x-powered-by')

  app.use(visits({ log, clock }))
  app.use(securityHeaders({ https }))
  // Built assets need nothing of what follows.
  app.use(assetRoutes(renderer))
  if (renderer.middleware) app.use(renderer.middleware)
  app.use(cookieParser())
  app.use(sameOrigin({ siteUrl: config.siteUrl }))
  app.use('/api', limits.write)

  app.use(contactRoutes(context, endpoints, limits))
  app.use(contentRoutes(context, endpoints, limits))
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
    callFor: endpoints.callFor,
    contentVersion: content.version,
    commonHeaders: recordHeaders(securityHeaders({ https })),
    policyOrigins: {},
  })
  app.use(pages.router)
  app.use(failures({ log }))
  content.onChange(pages.refresh)

  return {
    pages,
    listener(request, response) {
      // A finished page leaves before the chain above, with the headers that the chain would give it.
      if (!pages.hot(request, response)) app(request, response)
    },
  }
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
