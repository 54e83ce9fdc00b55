import type { Feature, Platform, Http } from '../feature.ts'
import { createSearch, type Search } from './search.ts'
import { search, type SearchResults } from '#shared/search-results.ts'
import { checkTerm } from '#shared/search.ts'

/** The search of the site (docs/contract.md, Search) over what all features give to it. */
export type SearchFeature = Feature & Pick<Search, 'find' | 'refresh'>

/** Site search. The index is built at the first search or when the server starts. */
export function searchFeature(platform: Platform): SearchFeature {
  const { clock, config, content, contributions, log, siteVersion } = platform
  let made: Search | null = null
  const index = () =>
    (made ??= createSearch({
      dataDir: config.dataDir,
      sources: contributions().search,
      content,
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

/** The search of the site. Every page of it is asked from the index; nothing else is touched. */
function searchRoutes({ endpoints }: Pick<Http, 'endpoints'>, index: Pick<Search, 'find'>): void {
  endpoints.serve(search, { limit: 'read', access: 'public' }, async ({ q, type, page }) => {
    const checked = checkTerm(q)
    if (checked.state === 'empty') return nothing('', null)
    if (checked.state === 'wrong') return nothing(q.trim().slice(0, 200), checked.message)
    return index.find(checked.term, type || null, page)
  })
}

const nothing = (term: string, message: string | null): SearchResults => ({
  term,
  message,
  total: 0,
  kinds: [],
  type: null,
  typeLabel: null,
  page: 1,
  pages: 1,
  results: [],
  suggestion: null,
  unsearched: [],
})
