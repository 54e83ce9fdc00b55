import cookieParser from 'cookie-parser'
import express, { type RequestHandler } from 'express'
import type { RequestListener } from 'node:http'
import { failure } from '#shared/failures.ts'
import { loadAssets } from './assets.ts'
import { clientRoutes } from './clients/routes.ts'
import type { Context } from './context.ts'
import { contentRoutes } from './content/routes.ts'
import { folderRoutes } from './folders/routes.ts'
import { bodyLimit } from './http/body-limit.ts'
import { createClientAddress } from './http/client-address.ts'
import { createEarlyResponses, type TakeEarly } from './http/early-responses.ts'
import { createEndpoints } from './http/endpoints.ts'
import { withErrorBoundary } from './http/error-boundary.ts'
import { failures } from './http/failures.ts'
import { csrf, sameOrigin, securityHeaders } from './http/guards.ts'
import { createLimits, type LimitName, type Limits } from './http/limits.ts'
import { createPlainReplies } from './http/plain-reply.ts'
import { requestContexts } from './http/request-context.ts'
import { createEarlyLog } from './http/request-log.ts'
import { createSiteFiles } from './http/site-files.ts'
import { createPages, type Pages } from './pages/pages.ts'
import type { Renderer } from './renderer.ts'

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
  const { config, log, access, clock, siteVersion } = context
  const { features, files: sets, findSession, origins } = context.contributions()
  const https = config.siteUrl.startsWith('https:')
  const limit = createLimits({ limited })
  const names = 'write pages read assets codes folderPassword folderMarks folderFiles'
  const limits = Object.fromEntries(
    names.split(' ').map((name) => [name, limit(name as LimitName)]),
  ) as Limits
  const commonHeaders = recordHeaders(securityHeaders({ https }))
  const files = createSiteFiles(sets, { headers: commonHeaders, log })
  const endpoints = createEndpoints({ limit, csrf: csrf(), log })
  const openPaths: RegExp[] = []
  const clientAddress = createClientAddress(config.trustProxy)
  const app = express()
  app.set('trust proxy', config.trustProxy)
  app.set('query parser', 'simple')
  app.set('etag', false)
  app.disable('x-powered-by')

  app.use(requestContexts({ access, clock, clientAddress, findSession }))
  app.use(securityHeaders({ https }))
  app.use(bodyLimit)
  if (renderer.middleware) app.use(renderer.middleware)
  app.use(cookieParser())
  app.use(sameOrigin({ siteUrl: config.siteUrl, open: openPaths }))
  app.use('/api', limits.write)

  app.use(contentRoutes(context, endpoints, limits))
  app.use(clientRoutes(context, endpoints, limits))
  app.use(folderRoutes(context, endpoints, limits))
  const plain = createPlainReplies(context)
  const earlyLog = createEarlyLog(access, clientAddress)
  const takers = new Map<string, TakeEarly>()
  for (const feature of features) {
    feature.routes?.({
      endpoints,
      limit,
      plain,
      mount: (handler) => void app.use(handler),
      openPath: (path) => void openPaths.push(path),
      refreshFiles: files.refresh,
      development: renderer.development,
      early: {
        take: (prefix, take) => void takers.set(prefix, take),
        headers: commonHeaders,
        log: earlyLog,
      },
    })
  }
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
    contentVersion: siteVersion.version,
    commonHeaders,
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

  const assets = loadAssets(commonHeaders, { built: !renderer.development })
  const early = createEarlyResponses(earlyLog, { pages, files, assets }, takers, app)
  return { pages, listener: withErrorBoundary(early, { log, headers: commonHeaders }) }
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
