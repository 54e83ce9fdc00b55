// What hot replacement needs ahead of every component; empty in the build.
import '@vitejs/plugin-react/preamble'
import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import {
  createBrowserRouter,
  matchRoutes,
  RouterContextProvider,
  type HydrationState,
} from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { createRoutes } from './routes.tsx'
import { departure } from './site/departure.ts'
import { siteContext, type Site } from './site/loading.ts'
import { revive } from './site/revive.ts'
import { awaken } from './ui/lazily.tsx'

/** Its code comes with the first navigation; the page at hand has its data already. */
const api: Site['api'] = async (endpoint, input, options) =>
  (await import('./api.ts')).api(endpoint, input, options)

const site: Site = { api, partTimeout: 0, variant: Math.floor(Math.random() * 1000), degrade() {} }

/** Reads the server's route data, loads the code of the matched page, and hydrates the document. */
async function start() {
  if (import.meta.env.DEV) (await import('./logs/browser-buffer.ts')).keepConsole()
  const routes = createRoutes()
  const written = document.getElementById('route-data')?.textContent
  const hydrationData = written && revive(JSON.parse(written) as HydrationState)
  await Promise.all(
    (matchRoutes(routes, location) ?? []).map(async ({ route }) => {
      if (route.lazy instanceof Function)
        Object.assign(route, await route.lazy(), { lazy: undefined })
    }),
  )
  const router = createBrowserRouter(routes, {
    ...(hydrationData && { hydrationData }),
    getContext: () => new RouterContextProvider(new Map([[siteContext, site]])),
  })
  // Code that is not there any more, as after a new build: the server draws the page instead.
  addEventListener('vite:preloadError', () => {
    const { location: next } = router.state.navigation
    if (next && navigator.onLine) location.assign(next.pathname + next.search + next.hash)
  })
  router.subscribe(({ navigation }) => {
    awaken()
    dispatchEvent(new CustomEvent(departure, { detail: navigation.location?.pathname }))
  })
  startTransition(() => {
    hydrateRoot(document, <RouterProvider router={router} />)
  })
}

void start()
