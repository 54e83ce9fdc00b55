import { matchPath, matchRoutes, type RouteObject } from 'react-router'
import { handleOf } from './page-handles.ts'

/** What the server asks of the page at a path, before it renders it. */
export type PageFacts = {
  /**
   * The names in the query that the page at a path depends on.
   * @param path in its canonical spelling
   * @returns null where there is no page, or one that is not kept
   */
  queryOf(path: string): readonly string[] | null
  /** Whether the page at a path is posted to by a form of its own. @param path in any spelling */
  takesForm(path: string): boolean
}

/** Reads the route table and the handles of its pages. */
export function describePages(routes: RouteObject[]): PageFacts {
  const keptPages = flattened(routes).flatMap(({ id, path }) => {
    const keep = path && id ? handleOf(id)?.keep : null
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
      return last?.route.id !== undefined && handleOf(last.route.id)?.form === true
    },
  }
}

function flattened(list: readonly RouteObject[]): RouteObject[] {
  return list.flatMap((route) => [route, ...flattened(route.children ?? [])])
}
