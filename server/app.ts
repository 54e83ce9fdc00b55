import cookieParser from 'cookie-parser'
import express, { type Express, type RequestHandler } from 'express'
import type { RequestListener } from 'node:http'
import { failure } from '#shared/failures.ts'
import { paths } from '#shared/paths.ts'
import { loadAssets, type Assets } from './assets.ts'
import type { Context } from './context.ts'
import {
  createPicturePreparation,
  type PicturePreparation,
} from './content/assets/prepare-pictures.ts'
import { createResizedImages } from './content/assets/resized-images.ts'
import { contentRoutes } from './content/routes.ts'
import type { Http } from './feature.ts'
import { createBodyLimit, type LargeBody } from './http/request-body.ts'
import { createClientAddress } from './http/connections/client-address.ts'
import {
  createEarlyResponses,
  type EarlyReplies,
  type EarlyHandler,
  createTurns,
} from './http/early-responses.ts'
import { apiPrefix, createEndpoints } from './http/endpoints.ts'
import { withErrorBoundary, withResponseErrors } from './http/replies/failures.ts'
import { createSendFailure, failures } from './http/replies/failures.ts'
import { csrf, sameOrigin } from './http/guards.ts'
import { commonHeaders, createFraming, securityHeaders } from './http/security-headers.ts'
import { createLimits } from './http/limits/limits.ts'
import { createPlainReplies, createReadBrand, type ReadBrand } from './http/replies/plain-reply.ts'
import { createProxyWatch } from './http/connections/proxy-watch.ts'
import { requestContexts } from './http/request-context.ts'
import { createEarlyLog, createLoggedPath } from './http/request-log.ts'
import { createSendPlain, type SendPlain } from './http/replies/plain-page.ts'
import { createSiteFiles, type SiteFiles } from './http/replies/cached-files.ts'
import { createPages, type Pages } from './pages/pages.ts'
import type { Renderer } from './renderer.ts'

/** The site as a request listener, with the handles that its owner needs. */
export type App = {
  listener: RequestListener
  pages: Pages
  assets: Assets
  pictures: PicturePreparation
}

/**
 * Composes the site; read it as a table of contents. The order matters where a comment says so.
 * It never listens: `main.ts` and the tests do.
 * @param options what a benchmark switches off: cached pages, and limits
 */
export async function createApp(
  context: Context,
  renderer: Renderer,
  { keepPages = true, limited = true }: { keepPages?: boolean; limited?: boolean } = {},
): Promise<App> {
  const { config, log, accessLog, clock, content, siteVersion } = context
  const given = context.contributions()
  const { findSession } = given
  const headers = commonHeaders(config)
  const framing = createFraming(paths.contactWindow(), config.frameAncestors)
  const clientAddress = createClientAddress(config.trustProxy)
  const watched = createProxyWatch(config.trustProxy, (text) =>
    context.warnings.set('trust-proxy', text),
  )
  const limit = createLimits({ limited })
  const endpoints = createEndpoints({ limit, csrf: csrf(), log })
  const files = createSiteFiles(given.files, { headers, log })
  const loggedPath = createLoggedPath(context.privatePaths)
  const earlyLog = createEarlyLog({ accessLog, clientAddress, loggedPath })
  const sendPlain = createSendPlain(given.footerLinks, framing)
  const readBrand = createReadBrand(content)
  const sendFailure = createSendFailure(sendPlain, readBrand)
  const app = createExpress(config)
  const parts = { endpoints, limit, headers, earlyLog, sendPlain, readBrand, files, renderer }
  const { http, earlyHandlers, openPaths, largeBodies } = createHttp(app, context, parts)

  // Whatever refuses a request needs its context and the headers; cookies are read after the body's
  // size is known to be harmless, and the origin is checked before any route runs.
  app.use(requestContexts({ accessLog, clock, clientAddress, findSession, loggedPath }))
  app.use(securityHeaders(config))
  app.use(createBodyLimit(sendFailure, largeBodies))
  if (renderer.middleware) app.use(renderer.middleware)
  app.use(cookieParser())
  app.use(sameOrigin({ siteUrl: config.siteUrl, open: openPaths }))
  app.use('/api', limit('write'))

  const resized = createResizedImages({ dataDir: config.dataDir, log })
  contentRoutes({ clock, config, content, log, pictures: resized }, http)
  for (const feature of given.features) await feature.routes?.(http)
  app.use(inApi(endpoints.router))
  app.use(inApi(endpoints.otherMethods()))
  app.use('/api', noSuchAddress)

  if (!config.testPage) app.all(paths.selfCheck(), noSuchPage)
  // Pages match everything, so they come last.
  const pages = createPages({
    renderer,
    keepPages,
    log,
    clock,
    siteUrl: config.siteUrl,
    apiFor: endpoints.apiFor,
    contentVersion: siteVersion.version,
    commonHeaders: headers,
    framing,
    policyOrigins: () => ({ ...given.origins, image: content.pictureOrigins() }),
    limit: limit('pages'),
  })
  app.use(pages.router)
  app.use(failures({ log, sendFailure }))
  siteVersion.onChange(pages.refresh)
  siteVersion.onChange(files.renew)
  const pictures = createPicturePreparation({
    content,
    pictures: resized,
    given: given.pictures,
    paths: async () => [...given.pages, ...(await given.sitemap()).map(({ path }) => path)],
    html: pages.html,
    onChange: siteVersion.onChange,
    log,
  })

  const assets = loadAssets(headers, { built: !renderer.development })
  const middleware = withResponseErrors<void>(app, log)
  const inTurn = createTurns(clientAddress)
  const early = createEarlyResponses(
    earlyLog,
    { pages, files, assets },
    earlyHandlers,
    middleware,
    inTurn,
  )
  return {
    pages,
    assets,
    pictures,
    listener: watched(withErrorBoundary(early, { log, headers, loggedPath, sendFailure })),
  }
}

type MountingParts = Pick<Http, 'endpoints' | 'limit'> & {
  headers: EarlyReplies['headers']
  earlyLog: EarlyReplies['log']
  sendPlain: SendPlain
  readBrand: ReadBrand
  files: SiteFiles
  renderer: Renderer
}

/** Creates what features mount their routes with, and the lists they fill that way. */
function createHttp(
  app: Express,
  { log }: Context,
  { endpoints, limit, headers, earlyLog, sendPlain, readBrand, files, renderer }: MountingParts,
) {
  const earlyHandlers = new Map<string, EarlyHandler>()
  const openPaths: RegExp[] = []
  const largeBodies: LargeBody[] = []
  const http: Http = {
    endpoints,
    limit,
    plain: createPlainReplies({ readBrand, log, sendPlain }),
    mount: (handler) => void app.use(handler),
    openPath: (path) => void openPaths.push(path),
    largeBody: (path, bytes) => void largeBodies.push({ path, bytes }),
    early: {
      headers,
      log: earlyLog,
      take: (prefix, take) => void earlyHandlers.set(prefix, withResponseErrors(take, log)),
    },
    refreshFiles: files.refresh,
    development: renderer.development,
  }
  return { http, earlyHandlers, openPaths, largeBodies }
}

/** Express without what gives away more than it serves. */
function createExpress({ trustProxy }: Context['config']): Express {
  const app = express()
  app.set('trust proxy', trustProxy)
  app.set('query parser', 'simple')
  app.set('etag', false)
  app.disable('x-powered-by')
  return app
}

/** Spares every other address the table of endpoints, all of which begin so. */
const inApi =
  (router: RequestHandler): RequestHandler =>
  (request, response, next) =>
    request.path.startsWith(apiPrefix) ? router(request, response, next) : next()

const noSuchAddress: RequestHandler = (_request, _response, next) =>
  next(failure('missing', { message: 'No such API route.' }))

const noSuchPage: RequestHandler = (_request, _response, next) => next(failure('missing'))
