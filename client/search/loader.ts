import type { LoaderFunctionArgs } from 'react-router'
import { search, type SearchResults } from '#shared/search-results.ts'
import { decodeTerm } from '#shared/search.ts'
import { siteOf } from '../site/data/loading.ts'

/**
 * What the results page shows; the address decides, its entities decoded once
 * (docs/contract.md, Search).
 */
export function loader(args: LoaderFunctionArgs): Promise<SearchResults> {
  const given = new URL(args.request.url).searchParams
  return siteOf(args).api(search, {
    q: decodeTerm(given.get('q') ?? ''),
    type: given.get('type') ?? '',
    page: Number(given.get('page') ?? 1),
  })
}
