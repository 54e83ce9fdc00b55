// What hot replacement needs ahead of every component; empty in the build.
import '@vitejs/plugin-react/preamble'
import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { createBrowserRouter, RouterContextProvider, type HydrationState } from 'react-router'
import { RouterProvider } from 'react-router/dom'
// Ahead of every other component: the sheet of the document says in which order layers count.
import { createRoutes, rendered } from './routes.tsx'
import { isTool } from '#shared/paths.ts'
import type { PageModule } from './pages.ts'
import { replayEarlyClick } from './inline/early.ts'
import { Deferred } from './site/deferred.tsx'
import { prepareToSend } from './site/prepare-to-send.ts'
import { loadStaticParts } from './site/static-part.tsx'
import { siteContext, type Site } from './site/data/loading.ts'
import { logError } from './site/log.ts'
import { loadCode, unreachable } from './site/errors/page-code.ts'

const loadApi = () => import('./api.ts')
const loadPages = () => import('./pages.ts')
const loadDeferred = () => import('./site/deferred-code.ts')

/** Its code comes with the first navigation; the page at hand has its data already. */
const api: Site['api'] = async (endpoint, input, options) => {
  const module = await loadCode(loadApi)
  try {
    return await module.api(endpoint, input, options)
  } catch (error) {
    if (error instanceof module.ApiError) throw error
    throw new Error(unreachable, { cause: error })
  }
}

const site: Site = { api, partTimeout: 0, variant: Math.floor(Math.random() * 1000), degrade() {} }

/** Reads the server's route data, loads the code of the matched page, and hydrates the document. */
async function start() {
  if (import.meta.env.DEV) (await import('./log-viewer/browser-buffer.ts')).keepConsole()
  const written = document.getElementById('route-data')?.textContent
  const hydrationData = written ? await readState(written) : null
  const { page, route: id, styles } = document.querySelector<HTMLElement>('[data-route]')!.dataset
  // Before any code is loaded that would ask for them.
  nameStyles(styles!.split(' ').filter(Boolean))
  const [module, bar] = await Promise.all([
    // By its address rather than from the table of pages: that would be code for nothing, and the
    // bundler's loader would bring the page's styles again. The build checks what the chunk exports.
    page && (import(/* @vite-ignore */ page) as Promise<PageModule>),
    // Before hydration: what changes above a part that waits for its code takes the part away.
    isTool(location.pathname) && import('./site/tool-bar.tsx'),
  ])
  const routes = createRoutes(loadPages, bar ? bar.ToolBar : undefined)
  // Named by the server: to match its address would read the whole table, as the router will once more.
  const route = routes[0]!.children![0]!.children!.find((each) => each.id === id)
  if (route && module) Object.assign(route, await rendered(module), { lazy: undefined })
  loadStaticParts()
  prepareToSend(routes, { pages: loadPages, api: loadApi })
  const router = createBrowserRouter(routes, {
    ...(hydrationData && { hydrationData }),
    getContext: () => new RouterContextProvider(new Map([[siteContext, site]])),
  })
  const deferred = hydrationData?.errors ? await loadDeferred() : null
  startTransition(() => {
    hydrateRoot(
      document,
      <Deferred loaded={deferred} load={loadDeferred}>
        <RouterProvider router={router} />
      </Deferred>,
    )
  })
}

/**
 * Names the styles that are in the document's one sheet, since Vite's loader asks for every sheet of
 * the code it loads that the document does not name: seventeen kilobytes again, and a new layout of the
 * page for each.
 */
function nameStyles(paths: readonly string[]) {
  for (const path of paths) {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = path
    // Such a link is not fetched.
    link.setAttribute('disabled', '')
    document.head.append(link)
  }
}

/** The router's state as the server wrote it; only slow content leaves promises in it. */
async function readState(written: string): Promise<HydrationState> {
  const state = JSON.parse(written) as HydrationState
  if (!written.includes('"pending":')) return state
  return (await import('./site/data/hydration.ts')).restoreParts(state)
}

start().catch((error: unknown) => {
  // The page stays as the server has drawn it, and its links and forms work without code.
  logError(error)
  replayEarlyClick()
})
