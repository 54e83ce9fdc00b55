import type { ComponentType } from 'react'
import { Outlet, type LoaderFunction, type RouteObject } from 'react-router'
import { RootError } from './site/error-page.tsx'
import { Document } from './site/document.tsx'
import { Layout } from './site/layout.tsx'

/** What the server knows of a route beside its path. */
export type PageHandle = {
  /** The module in the build's manifest. */
  source: string
  /** How its finished page may be kept: for everybody, by these query names; or not at all. */
  keep: { query: readonly string[] } | null
  /** How many variants of the page exist for visitors to get at random. */
  variants: number
}

type PageModule = { Component: ComponentType }

/** Declares a page: its code and its loader are separate chunks, loaded side by side. */
function page({
  id,
  path,
  source,
  module,
  loader,
  keep = { query: [] },
  variants = 1,
}: {
  id: string
  path: string
  source: string
  module: () => Promise<PageModule>
  loader?: () => Promise<{ loader: LoaderFunction }>
  keep?: PageHandle['keep']
  variants?: number
}): RouteObject {
  return {
    id,
    path,
    handle: { source, keep, variants } satisfies PageHandle,
    lazy: async () => ({ Component: (await module()).Component }),
    ...(loader && { loader: async (args) => (await loader()).loader(args) }),
  }
}

/** The route table (spec 2.1). A fresh one each time, since the router writes into it. */
export function createRoutes(): RouteObject[] {
  return [
    {
      id: 'site',
      Component: () => (
        <Document>
          <Layout>
            <Outlet />
          </Layout>
        </Document>
      ),
      ErrorBoundary: RootError,
      loader: async (args) => (await import('./site/loader.ts')).loader(args),
      shouldRevalidate: () => false,
      children: [
        page({
          id: 'home',
          path: '/',
          source: 'client/home/page.tsx',
          module: () => import('./home/page.tsx'),
          loader: () => import('./home/loader.ts'),
          variants: 6,
        }),
      ],
    },
  ]
}
