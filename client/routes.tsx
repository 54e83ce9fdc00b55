import type { ComponentType } from 'react'
import { data, Outlet, replace, type RouteObject } from 'react-router'
import { documentPaths, isTool, pagePaths, paths, type PageId } from '#shared/paths.ts'
import type { Page, PageModule } from './pages.ts'
import { Document } from './site/document.tsx'
import { Layout } from './site/layout.tsx'
import { loadCode } from './site/errors/page-code.ts'
import { PageBoundary, PageError, RootError } from './site/errors/route-error.tsx'

/** Brings the table of all pages, which says what each is made from. */
type LoadPages = () => Promise<{ pages: Readonly<Record<PageId, Page>> }>

/**
 * The route table (docs/contract.md, Pages). A fresh one each time, since the router writes into
 * it.
 * @param toolBar the bar of tools, where its code is there already
 */
export function createRoutes(loadPages: LoadPages, toolBar?: ComponentType): RouteObject[] {
  // It only costs the head start.
  const prepareToLeave = () => void loadPages().catch(() => {})
  return [
    {
      id: 'site',
      Component: () => (
        <Document>
          <Layout prepareToLeave={prepareToLeave} toolBar={toolBar}>
            <Outlet />
          </Layout>
        </Document>
      ),
      ErrorBoundary: RootError,
      loader: async (args) => (await loadCode(() => import('./site/data/loader.ts'))).loader(args),
      shouldRevalidate: () => false,
      children: [
        {
          id: 'pages',
          ErrorBoundary: PageError,
          loader: async (args) =>
            (await loadCode(() => import('./site/head/seo-loader.ts'))).loader(args),
          // Tools say who is signed in, which changes while the address stays.
          shouldRevalidate: ({ currentUrl, nextUrl, actionStatus }) =>
            currentUrl.pathname !== nextUrl.pathname ||
            (isTool(nextUrl.pathname) &&
              !isUnanswered(actionStatus) &&
              !isViewerStep(currentUrl, nextUrl)),
          children: [
            ...Object.entries({ ...pagePaths, ...documentPaths }).map(([id, path]) =>
              pageRoute(id as PageId, path, loadPages),
            ),
            redirection('services', '/services', paths.services()),
            redirection('contact', paths.contactPage(), paths.contact()),
            redirection('link-root', '/l', paths.home()),
          ],
        },
      ],
    },
  ]
}

/**
 * The route of a page. What it is made from is in the table of pages, since most of it no one
 * needs who only looks at one.
 */
function pageRoute(id: PageId, path: string, loadPages: LoadPages): RouteObject {
  const load = <Module,>(part: (page: Page) => (() => Promise<Module>) | null) =>
    loadCode(async () => part((await loadPages()).pages[id])?.())
  return {
    id,
    path,
    // Another spelling would be the same page under another address.
    caseSensitive: true,
    lazy: async () => rendered((await load(({ module }) => module))!),
    loader: async (args) => (await load(({ loader }) => loader))?.loader(args) ?? null,
    action: async (args) => {
      const module = await load(({ action }) => action)
      if (!module) throw data(null, { status: 405, statusText: 'Method Not Allowed' })
      return module.action(args)
    },
    // What refused a form has changed since the page was read, such as a day that went.
    shouldRevalidate: ({
      currentUrl,
      nextUrl,
      defaultShouldRevalidate,
      formMethod,
      actionStatus,
    }) =>
      (defaultShouldRevalidate && !isViewerStep(currentUrl, nextUrl)) ||
      (formMethod === 'POST' && !isUnanswered(actionStatus)),
  }
}

/**
 * Whether the viewer of a gallery opens, moves or closes, and nothing else: its page knows all of that,
 * and a step back has to close it without a network, too.
 */
const isViewerStep = (from: URL, to: URL): boolean => {
  const page = ({ pathname, search }: URL) => {
    const rest = new URLSearchParams(search)
    rest.delete('open')
    return `${pathname}?${rest}`
  }
  return from.search !== to.search && page(from) === page(to)
}

/**
 * Whether the server didn't do what a form asked, since it couldn't be reached or broke: nothing has
 * changed then, and reading the page again would put an error in the place of what was typed.
 */
const isUnanswered = (status = 0): boolean => status >= 500

/** What a route makes of a page's module, once all of its code is there. */
export async function rendered({ Component: Page, rest }: PageModule) {
  if (rest) await loadCode(() => rest)
  return {
    Component: () => (
      <PageBoundary>
        <Page />
      </PageBoundary>
    ),
  }
}

/**
 * An address that only leads to another one (docs/contract.md, Pages), in place of its own history
 * entry. Its query goes with it: it names the campaign that a visitor came by.
 */
const redirection = (id: string, path: string, to: string): RouteObject => ({
  id,
  path,
  loader: ({ request }) => replace(to.replace(/#|$/, (hash) => new URL(request.url).search + hash)),
  Component: () => null,
})
