import type { ComponentType } from 'react'
import { replace, type ActionFunction, type LoaderFunction, type RouteObject } from 'react-router'
import type { PageId } from './page-handles.ts'
import { loadCode } from './site/page-code.ts'
import { PageBoundary } from './site/page-boundary.tsx'

/** The module of a page. */
export type PageModule = { Component: ComponentType }

/** What a page is made from, each in a chunk of its own; they are loaded side by side. */
type PageCode = {
  module: () => Promise<PageModule>
  loader?: () => Promise<{ loader: LoaderFunction }>
  /** Takes the form of the page; its handle must say that it has one. */
  action?: () => Promise<{ action: ActionFunction }>
}

/**
 * Declares a page. What only the server needs to know of it is in `page-handles.ts`, under the
 * same id, so that visitors do not load it.
 */
export function page({
  id,
  path,
  module,
  loader,
  action,
}: { id: PageId; path: string } & PageCode): RouteObject {
  return {
    id,
    path,
    // Another spelling would be the same page under another address.
    caseSensitive: true,
    lazy: async () => pageRoute(await loadCode(module)),
    ...(loader && { loader: async (args) => (await loadCode(loader)).loader(args) }),
    ...(action && {
      action: async (args) => (await loadCode(action)).action(args),
      // What refused a form has changed since the page was read, such as a day that went.
      shouldRevalidate: ({ defaultShouldRevalidate, formMethod }) =>
        defaultShouldRevalidate || formMethod === 'POST',
    }),
  }
}

/** What a route makes of a page's module. */
export const pageRoute = ({ Component: Page }: PageModule) => ({
  Component: () => (
    <PageBoundary>
      <Page />
    </PageBoundary>
  ),
})

/**
 * An address that only leads to another one (docs/contract.md, Pages), in place of its own history
 * entry.
 */
export const redirection = (id: string, path: string, to: string): RouteObject => ({
  id,
  path,
  loader: () => replace(to),
  Component: () => null,
})
