import { renderToPipeableStream } from 'react-dom/server'
import { preinit } from 'react-dom'
import {
  createStaticHandler,
  createStaticRouter,
  RouterContextProvider,
  StaticRouterProvider,
  type StaticHandlerContext,
} from 'react-router'
import type { ReactNode } from 'react'
import type { ApiClient } from '#shared/endpoint.ts'
import { failureOf, publicFailure, ErrorScreen } from './site/error-screen.tsx'
import { Document, ServerData } from './site/document.tsx'
import { firstScript, startScript } from './site/inline-scripts.ts'
import { siteContext, type Streamed } from './site/loading.ts'
import { inertJson } from './site/stream.tsx'
import { handleOf, pageHandles, type PageHandle } from './page-handles.ts'
import { describePages } from './kept-pages.ts'
import { createRoutes } from './routes.tsx'

/** The files of the build that a page needs. */
export type Assets = {
  entry: string
  /** The module of the page; null where it has no file of its own. */
  page: string | null
  modules: readonly string[]
  styles: readonly string[]
  /** One file with all of `styles`. */
  sheet: string | null
}

/** One page to render. */
export type PageRequest = {
  /** Absolute. */
  url: string
  /** Shown on error pages, so that what a visitor reports can be found in the log. */
  requestId: string
  method: string
  /** The fields that were posted to the page. */
  form?: URLSearchParams
  api: ApiClient
  /** Milliseconds that a part of the page may hold up the shell. */
  partTimeout: number
  /** Picks among equally good variants of a page. */
  variant: number
  /** For inline scripts; left out where hashes stand for them. */
  nonce?: string
  /** Wait for every late part, so that the bytes need no script to fall into place. */
  whole: boolean
  /** The built files of a page's module, or of the shell alone. */
  assets(source: string | null): Assets
  onError(error: unknown): void
}

/** Where to write to; Node's writable streams fit. */
type Destination = Parameters<ReturnType<typeof renderToPipeableStream>['pipe']>[0]

/** A page whose shell is ready, or a redirect. */
export type Rendering =
  | { redirect: string; status: number }
  | {
      redirect: null
      status: number
      /** How the page may be kept; null for a failed one. */
      handle: PageHandle | null
      /** True when a part was missing or came late. */
      degraded: boolean
      pipe(destination: Destination): void
      abort(reason: unknown): void
    }

const routes = createRoutes()
const handler = createStaticHandler(routes)

/** What the server asks of the page at a path. */
export const { queryOf, takesForm } = describePages(routes)

/** The inline scripts of pages that are rendered without a nonce. */
export const inlineScripts: readonly string[] = [firstScript, startScript]

/**
 * Renders a page. Loaders run first, their parts within `partTimeout`; the promise resolves when the
 * shell is ready, or everything where `whole` is asked for. A shell that throws becomes the error
 * page.
 */
export async function render(request: PageRequest): Promise<Rendering> {
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
    new Request(request.url, { method: request.method, body: request.form }),
    {
      requestContext,
    },
  )
  if (result instanceof Response) {
    return { redirect: result.headers.get('Location') ?? '/', status: result.status }
  }
  const handles = result.matches.flatMap(({ route }) => handleOf(route.id) ?? [])
  const handle = handles.at(-1) ?? null
  const assets = request.assets(handle?.source ?? null)
  const errors = Object.values(result.errors ?? {})
  for (const error of errors) request.onError(error)
  // From here on, in the page as in its data, there is only what visitors may read.
  result.errors &&= Object.fromEntries(
    Object.entries(result.errors).map(([id, error]) => [
      id,
      publicFailure(error, request.requestId),
    ]),
  )
  const data: ServerData = {
    json: routeData(result),
    nonce: request.nonce,
    code: assets,
  }
  const tree = (
    <Shell assets={assets}>
      <ServerData value={data}>
        <StaticRouterProvider
          router={createStaticRouter(handler.dataRoutes, result)}
          context={result}
          hydrate={false}
        />
      </ServerData>
    </Shell>
  )
  return {
    redirect: null,
    tree,
    result,
    // The router knows the status of a response, not that of a failure.
    status: errors.length > 0 ? failureOf(errors[0]).status : result.statusCode,
    assets,
    handle: errors.length > 0 ? null : handle,
    isDegraded: () => degraded,
  } as const
}

/** The modules of every kind of page, null for the shell alone; the build joins their styles. */
export const pageSources: readonly (string | null)[] = [
  null,
  ...Object.values(pageHandles).map(({ source }) => source),
]

/** Names the built styles in the head. */
function Shell({ assets, children }: { assets: Assets; children: ReactNode }) {
  const { sheet, styles } = assets
  for (const style of sheet === null ? styles : [sheet]) {
    preinit(style, { as: 'style', precedence: 'page' })
  }
  return children
}

function streamTree(tree: ReactNode, { nonce, whole, onError }: PageRequest) {
  return new Promise<Pick<Rendering & { redirect: null }, 'pipe' | 'abort'>>((resolve, reject) => {
    const ready = () =>
      resolve({ pipe: (destination) => void stream.pipe(destination), abort: stream.abort })
    const stream = renderToPipeableStream(tree, {
      nonce,
      // What is there stands in its place: React would move large parts behind inline scripts, out
      // of sight of who runs none.
      progressiveChunkSize: Number.MAX_SAFE_INTEGER,
      ...(whole ? { onAllReady: ready } : { onShellReady: ready }),
      onShellError: reject,
      onError,
    })
  })
}

/** The router's state as inert JSON; late parts get the id under which they will arrive. */
function routeData({ loaderData, actionData, errors }: StaticHandlerContext): string {
  for (const [routeId, data] of Object.entries(loaderData)) {
    if (!(data instanceof Object)) continue
    for (const [name, value] of Object.entries(data as Record<string, Streamed<unknown>>)) {
      if (value instanceof Object && 'pending' in value) value.id = `${routeId}-${name}`
    }
  }
  return inertJson({ loaderData, actionData, errors })
}
