import { search, type SearchResults } from '#shared/search-results.ts'
import { checkTerm } from '#shared/search.ts'
import type { Http } from '../feature.ts'
import type { Search } from './search.ts'

/** The search of the site. Every page of it is asked from the index; nothing else is touched. */
export function searchRoutes(
  { endpoints }: Pick<Http, 'endpoints'>,
  index: Pick<Search, 'find'>,
): void {
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
