import type { ComponentType } from 'react'
import { Outlet, replace, type LoaderFunction, type RouteObject } from 'react-router'
import { paths } from '#shared/paths.ts'
import { PageError, RootError } from './site/error-page.tsx'
import { Document } from './site/document.tsx'
import { Layout } from './site/layout.tsx'
import { PageBoundary } from './site/page-boundary.tsx'

/** What the server knows of a route beside its path. */
export type PageHandle = {
  /** The module in the build's manifest. */
  source: string
  /** Modules of it whose code the browser loads later, if at all; see `lazily`. */
  parts: readonly string[]
  /** How its finished page may be kept: for everybody, by these query names; or not at all. */
  keep: { query: readonly string[] } | null
  /** How many variants of the page exist for visitors to get at random. */
  variants: number
  /** Added to the reply. */
  headers: Readonly<Record<string, string>>
}

type PageModule = { Component: ComponentType }

/** {@link PageHandle.parts} of the shell. */
export const shellParts = ['client/site/footer.tsx', 'client/site/error-screen.tsx']

/** Declares a page: its code and its loader are separate chunks, loaded side by side. */
function page({
  id,
  path,
  source,
  parts = [],
  module,
  loader,
  keep = { query: [] },
  variants = 1,
  headers = {},
}: {
  id: string
  path: string
  source: string
  parts?: PageHandle['parts']
  module: () => Promise<PageModule>
  loader?: () => Promise<{ loader: LoaderFunction }>
  keep?: PageHandle['keep']
  variants?: number
  headers?: PageHandle['headers']
}): RouteObject {
  return {
    id,
    path,
    handle: { source, parts, keep, variants, headers } satisfies PageHandle,
    lazy: async () => {
      const { Component: Page } = await module()
      return {
        Component: () => (
          <PageBoundary>
            <Page />
          </PageBoundary>
        ),
      }
    },
    ...(loader && { loader: async (args) => (await loader()).loader(args) }),
  }
}

/** An address that only leads to another one (spec 2.1), in place of its own history entry. */
const redirection = (id: string, path: string, to: string): RouteObject => ({
  id,
  path,
  loader: () => replace(to),
  Component: () => null,
})

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
        {
          id: 'pages',
          ErrorBoundary: PageError,
          loader: async (args) => (await import('./site/seo-loader.ts')).loader(args),
          shouldRevalidate: ({ currentUrl, nextUrl }) => currentUrl.pathname !== nextUrl.pathname,
          children: pages(),
        },
      ],
    },
  ]
}

/** Headers of pages that depend on who is signed in: no index, and their address goes nowhere. */
const privatePage = { 'X-Robots-Tag': 'noindex, nofollow', 'Referrer-Policy': 'no-referrer' }

const pages = () => [
  page({
    id: 'home',
    path: '/',
    source: 'client/home/page.tsx',
    parts: ['client/home/below.tsx', 'client/contact/contact-form.tsx'],
    module: () => import('./home/page.tsx'),
    loader: () => import('./home/loader.ts'),
    variants: 6,
  }),
  page({
    id: 'contact-window',
    path: paths.contactWindow(),
    source: 'client/contact/window-page.tsx',
    parts: ['client/contact/contact-form.tsx'],
    module: () => import('./contact/window-page.tsx'),
  }),
  page({
    id: 'search',
    path: paths.search(),
    source: 'client/search/results-page.tsx',
    module: () => import('./search/results-page.tsx'),
    loader: () => import('./search/loader.ts'),
    // Everybody gets the same, but there is no end of terms.
    keep: null,
    headers: { 'X-Robots-Tag': 'noindex, follow' },
  }),
  redirection('services', '/services', paths.services()),
  redirection('contact', paths.contactPage(), paths.contact()),
  page({
    id: 'service',
    path: paths.service(':slug'),
    source: 'client/services/page.tsx',
    parts: ['client/services/below.tsx'],
    module: () => import('./services/page.tsx'),
    loader: () => import('./services/loader.ts'),
  }),
  page({
    id: 'news',
    path: paths.news(),
    source: 'client/news/list-page.tsx',
    module: () => import('./news/list-page.tsx'),
    loader: () => import('./news/list-loader.ts'),
    keep: { query: ['category', 'page'] },
  }),
  page({
    id: 'article',
    path: paths.article(':slug'),
    source: 'client/news/article-page.tsx',
    module: () => import('./news/article-page.tsx'),
    loader: () => import('./news/article-loader.ts'),
  }),
  page({
    id: 'portfolio',
    path: paths.portfolio(),
    source: 'client/portfolio/page.tsx',
    parts: ['client/portfolio/project-view.tsx'],
    module: () => import('./portfolio/page.tsx'),
    loader: () => import('./portfolio/loader.ts'),
    keep: { query: ['discipline', 'service', 'year', 'page', 'project'] },
  }),
  page({
    id: 'about',
    path: paths.about(),
    source: 'client/about/page.tsx',
    parts: ['client/about/people.tsx'],
    module: () => import('./about/page.tsx'),
    loader: () => import('./about/loader.ts'),
  }),
  page({
    id: 'privacy',
    path: paths.privacyPolicy(),
    source: 'client/legal/privacy-page.tsx',
    parts: ['client/legal/privacy.tsx'],
    module: () => import('./legal/privacy-page.tsx'),
  }),
  page({
    id: 'terms',
    path: paths.termsOfService(),
    source: 'client/legal/terms-page.tsx',
    parts: ['client/legal/terms.tsx'],
    module: () => import('./legal/terms-page.tsx'),
  }),
  page({
    id: 'cookies',
    path: paths.cookiePolicy(),
    source: 'client/legal/cookie-page.tsx',
    parts: ['client/legal/cookies.tsx'],
    module: () => import('./legal/cookie-page.tsx'),
  }),
  page({
    id: 'accessibility',
    path: paths.accessibility(),
    source: 'client/legal/accessibility-page.tsx',
    parts: ['client/legal/accessibility.tsx'],
    module: () => import('./legal/accessibility-page.tsx'),
  }),
  page({
    id: 'self-check',
    path: paths.selfCheck(),
    source: 'client/test-page/page.tsx',
    module: () => import('./test-page/page.tsx'),
    headers: { 'X-Robots-Tag': 'noindex' },
  }),
  page({
    id: 'client-zone',
    path: paths.clientZone(),
    source: 'client/clients/zone-page.tsx',
    module: () => import('./clients/zone-page.tsx'),
    loader: () => import('./clients/zone-loader.ts'),
    keep: null,
    headers: privatePage,
  }),
  ...[paths.panel(), paths.panel(':code')].map((path) =>
    page({
      id: path === paths.panel() ? 'own-panel' : 'panel',
      path,
      source: 'client/clients/panel-page.tsx',
      module: () => import('./clients/panel-page.tsx'),
      loader: () => import('./clients/panel-loader.ts'),
      keep: null,
      headers: privatePage,
    }),
  ),
  ...folderPages(),
  redirection('link-root', '/l', paths.home()),
  page({
    id: 'link',
    path: paths.shortLink(':code'),
    source: 'client/links/redirect-page.tsx',
    module: () => import('./links/redirect-page.tsx'),
    loader: () => import('./links/redirect-loader.ts'),
    keep: null,
    headers: privatePage,
  }),
  page({
    id: 'links',
    path: paths.shortLinks(),
    source: 'client/links/page.tsx',
    module: () => import('./links/page.tsx'),
    loader: () => import('./links/loader.ts'),
    keep: null,
    headers: privatePage,
  }),
  page({
    id: 'logs',
    path: paths.logs(),
    source: 'client/logs/page.tsx',
    module: () => import('./logs/page.tsx'),
    loader: () => import('./logs/loader.ts'),
    keep: null,
    headers: privatePage,
  }),
  page({
    id: 'not-found',
    path: '*',
    source: 'client/site/not-found-page.tsx',
    module: () => import('./site/not-found-page.tsx'),
    loader: () => import('./site/not-found-loader.ts'),
    keep: null,
  }),
]

/** A folder, and whatever is asked for below it that the server has no file for. */
const folderPages = () =>
  ['/s/:id', '/s/:id/*'].map((path, index) =>
    page({
      id: index === 0 ? 'folder' : 'below-folder',
      path,
      source: 'client/folders/page.tsx',
      module: () => import('./folders/page.tsx'),
      loader: () => import('./folders/loader.ts'),
      keep: null,
      headers: {
        'X-Robots-Tag': 'noindex, nofollow, noarchive',
        'Referrer-Policy': 'no-referrer',
      },
    }),
  )
