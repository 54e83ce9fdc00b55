import { renderToPipeableStream } from 'react-dom/server'
import { preinit } from 'react-dom'
import {
  createStaticHandler,
  createStaticRouter,
  matchPath,
  matchRoutes,
  RouterContextProvider,
  StaticRouterProvider,
  type StaticHandlerContext,
} from 'react-router'
import type { ReactNode } from 'react'
import { documentPaths, isTool, pagePaths, type PageId } from '#shared/paths.ts'
import type { Assets, PageRequest, Rendering } from '#shared/rendering.ts'
import { failureOf, publicFailure, ErrorScreen } from './site/errors/error-screen.tsx'
import * as deferredCode from './site/deferred-code.ts'
import { DeferredContext } from './site/deferred.tsx'
import { Document, ServerData } from './site/document.tsx'
import { firstScript, startScript } from './inline/scripts.ts'
import { siteContext, type PendingPart } from './site/data/loading.ts'
import { inertJson } from './site/data/stream.tsx'
import { pageOf, pages } from './pages.ts'
import { createRoutes } from './routes.tsx'

/** Where to write to; Node's writable streams fit. */
type Destination = Parameters<ReturnType<typeof renderToPipeableStream>['pipe']>[0]

type Rendered = Rendering<Destination>

/** The bar of tools, without whose code they aren't hydrated (`entry-client.tsx`). */
const toolBar = 'client/site/tool-bar.tsx'

const routes = createRoutes(async () => ({ pages }))
const handler = createStaticHandler(routes)

/** The pages that the server caches, with the query parameters that they depend on. */
const cachedPages = Object.entries({ ...pagePaths, ...documentPaths }).flatMap(([id, path]) => {
  const { keep } = pages[id as PageId]
  return keep ? [{ path, query: keep.query }] : []
})
const cachedPaths = new Map(cachedPages.map(({ path, query }) => [path, query]))
const cachedPatterns = cachedPages.filter(({ path }) => path.includes(':'))

/** The query parameters that the page at a path depends on; null if it isn't cached. */
export function queryOf(path: string): readonly string[] | null {
  const isAt = ({ path: pattern }: { path: string }) =>
    matchPath({ path: pattern, caseSensitive: true }, path) !== null
  return cachedPaths.get(path) ?? cachedPatterns.find(isAt)?.query ?? null
}

/** Whether the page at a path has a form that posts to it. */
export function acceptsForm(path: string): boolean {
  const id = matchRoutes(routes, path)?.at(-1)?.route.id
  return id !== undefined && Boolean(pageOf(id)?.action)
}

/** The inline scripts of pages that are rendered without a nonce. */
export const inlineScripts: readonly string[] = [firstScript, startScript]

/**
 * Renders a page. Loaders run first, their parts within `partTimeout`; the promise resolves when the
 * shell is ready, or everything where `whole` is asked for. A shell that throws becomes the error
 * page.
 */
export async function render(request: PageRequest): Promise<Rendered> {
  const prepared = await prepare(request)
  if (prepared.redirect !== null) return prepared
  const { tree, status, assets, handle, isDegraded } = prepared
  try {
    return {
      redirect: null,
      status,
      handle,
      get degraded() {
        return isDegraded()
      },
      ...(await streamTree(tree, request)),
    }
  } catch (error) {
    request.onError(error)
    const shown = publicFailure(error, request.requestId)
    const page = (
      <ServerData value={{ json: '', nonce: request.nonce, code: null }}>
        <Document>
          <ErrorScreen error={shown} />
        </Document>
      </ServerData>
    )
    const stream = await streamTree(<Shell assets={assets}>{page}</Shell>, request)
    return { redirect: null, status: 500, handle: null, degraded: true, ...stream }
  }
}

/** Runs the loaders of a page and makes its React tree; everything of a render but the rendering. */
export async function prepare(request: Omit<PageRequest, 'whole'>) {
  let degraded = false
  const requestContext = new RouterContextProvider()
  requestContext.set(siteContext, {
    api: request.api,
    partTimeout: request.partTimeout,
    variant: request.variant,
    degrade() {
      degraded = true
    },
  })
  const result = await handler.query(
    new Request(request.url, {
      method: request.method,
      body: request.form && new URLSearchParams([...request.form]),
    }),
    { requestContext },
  )
  if (result instanceof Response) {
    return { redirect: result.headers.get('Location') ?? '/', status: result.status }
  }
  const route = result.matches.at(-1)?.route.id ?? ''
  const page = pageOf(route)
  const assets = request.assets(page?.source ?? null)
  // Its styles are the shell's.
  const bar = isTool(new URL(request.url).pathname) ? request.assets(toolBar).modules : []
  const errors = Object.values(result.errors ?? {})
  for (const error of errors) request.onError(error)
  // From here on, in the page as in its data, there is only what visitors may read.
  const context = {
    ...result,
    loaderData: withPartIds(result.loaderData),
    errors: publicErrors(result.errors, request.requestId),
  }
  const data: ServerData = {
    json: routeData(context),
    nonce: request.nonce,
    code: { ...assets, modules: [...new Set([...assets.modules, ...bar])], route },
  }
  const tree = (
    <Shell assets={assets}>
      <ServerData value={data}>
        <StaticRouterProvider
          router={createStaticRouter(matchedRoutes(result), context)}
          context={context}
          hydrate={false}
        />
      </ServerData>
    </Shell>
  )
  return {
    redirect: null,
    tree,
    // The router knows the status of a response, not that of a failure.
    status: errors.length > 0 ? failureOf(errors[0]).status : context.statusCode,
    assets,
    handle: errors.length > 0 ? null : page,
    isDegraded: () => degraded,
  } as const
}

/**
 * The routes from the root to the page, and no others: the router goes through all that it is given for
 * each page.
 */
function matchedRoutes({
  matches,
}: StaticHandlerContext): StaticHandlerContext['matches'][number]['route'][] {
  return matches
    .map(({ route }) => route)
    .reduceRight<(typeof matches)[number]['route'][]>(
      (children, route) => [route.index ? route : { ...route, children }],
      [],
    )
}

/** The modules of every kind of page, null for the shell alone; the build joins their styles. */
export const pageSources: readonly (string | null)[] = [
  null,
  ...Object.values(pages).map(({ source }) => source),
]

/** Names the built styles in the head, and gives a page the code that browsers get later. */
function Shell({ assets, children }: { assets: Assets; children: ReactNode }) {
  const { sheet, styles } = assets
  for (const style of sheet === null ? styles : [sheet]) {
    preinit(style, { as: 'style', precedence: 'page' })
  }
  return <DeferredContext value={deferredCode}>{children}</DeferredContext>
}

function streamTree(tree: ReactNode, { nonce, whole, onError }: PageRequest) {
  return new Promise<Pick<Rendered & { redirect: null }, 'pipe' | 'abort'>>((resolve, reject) => {
    const ready = () =>
      resolve({ pipe: (destination) => void stream.pipe(destination), abort: stream.abort })
    const stream = renderToPipeableStream(tree, {
      nonce,
      // What is there is in its place: React would move large parts behind inline scripts, out
      // of sight of who runs none.
      progressiveChunkSize: Number.MAX_SAFE_INTEGER,
      ...(whole ? { onAllReady: ready } : { onShellReady: ready }),
      onShellError: reject,
      onError,
    })
  })
}

/** Errors of routes as visitors may read them. */
const publicErrors = (errors: StaticHandlerContext['errors'], requestId: string) =>
  errors &&
  Object.fromEntries(
    Object.entries(errors).map(([id, error]) => [id, publicFailure(error, requestId)]),
  )

/** The router's state as inert JSON. */
const routeData = ({ loaderData, actionData, errors }: StaticHandlerContext): string =>
  inertJson({ loaderData, actionData, errors })

/** The data of loaders, in which each late part has the id under which it will arrive. */
function withPartIds(loaderData: StaticHandlerContext['loaderData']) {
  const named = Object.entries(loaderData).map(([routeId, data]) => {
    if (!(data instanceof Object) || !Object.values(data).some(isPending)) return [routeId, data]
    const parts = Object.entries(data as Record<string, unknown>).map(([name, value]) => [
      name,
      isPending(value) ? { ...value, id: `${routeId}-${name}` } : value,
    ])
    return [routeId, Object.fromEntries(parts)]
  })
  return Object.fromEntries(named) as typeof loaderData
}

const isPending = (value: unknown): value is PendingPart<unknown> =>
  value instanceof Object && 'pending' in value
