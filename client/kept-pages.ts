import { matchPath, matchRoutes, type RouteObject } from 'react-router'
import type { RendererBundle } from '#shared/rendering.ts'
import { pageOf } from './pages.ts'

/** Says what the server asks of the page at a path, before it renders it. */
export function describePages(
  routes: RouteObject[],
): Pick<RendererBundle<never>, 'queryOf' | 'takesForm'> {
  const keptPages = flattened(routes).flatMap(({ id, path }) => {
    const keep = path && id ? pageOf(id)?.keep : null
    return keep ? [{ path: path!, query: keep.query }] : []
  })
  const keptPaths = new Map(keptPages.map(({ path, query }) => [path, query]))
  const keptPatterns = keptPages.filter(({ path }) => path.includes(':'))
  return {
    queryOf(path) {
      const isAt = ({ path: pattern }: { path: string }) =>
        matchPath({ path: pattern, caseSensitive: true }, path) !== null
      return keptPaths.get(path) ?? keptPatterns.find(isAt)?.query ?? null
    },
    takesForm(path) {
      const [last] = (matchRoutes(routes, path) ?? []).slice(-1)
      return last?.route.id !== undefined && Boolean(pageOf(last.route.id)?.action)
    },
  }
}

function flattened(list: readonly RouteObject[]): RouteObject[] {
  return list.flatMap((route) => [route, ...flattened(route.children ?? [])])
}
