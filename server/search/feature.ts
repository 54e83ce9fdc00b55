import type { Feature, Platform } from '../feature.ts'
import { searchRoutes } from './routes.ts'
import { createSearch, type Search } from './search.ts'

/** The search of the site (docs/contract.md, Search) over what all features give to it. */
export type SearchFeature = Feature & Pick<Search, 'find' | 'refresh'>

/** Site search. The index is built at the first search or when the server starts. */
export function searchFeature(platform: Platform): SearchFeature {
  const { clock, config, contributions, log, siteVersion } = platform
  let made: Search | null = null
  const index = () =>
    (made ??= createSearch({
      dataDir: config.dataDir,
      sources: contributions().search,
      version: siteVersion.version,
      // Files of our own are cheap to read; another service is not asked for everything each time.
      rereads: config.content ? 100 : Infinity,
      clock,
      log,
    }))
  const find: Search['find'] = (...asked) => index().find(...asked)
  return {
    name: 'search',
    find,
    refresh: () => index().refresh(),
    routes: (http) => searchRoutes(http, { find }),
    search: [{ kind: 'pages', label: 'Pages', read: () => contributions().searchPages() }],
    start: () => index().refresh(),
    close: () => made?.close(),
  }
}
