import type { RequestHandler } from 'express'
import { failure } from '#shared/failures.ts'
import { canonicalPath, canonicalQuery, withQuery } from '../http/canonical-address.ts'
import type { Renderer } from '../renderer.ts'

/** How the addresses of pages are spelled (docs/contract.md, Pages). */
export type PageAddresses = {
  /** The address under which a page is kept; null for one that is not, or is spelled otherwise. */
  cacheKey(url: string): string | null
  /** Leads every other spelling of an address to the one under which its page is. */
  redirectSpellings: RequestHandler
}

/** Most characters of an address that another spelling is led to. */
const longestAddress = 4_000

/** Makes the reading of addresses. */
export function createPageAddresses(renderer: Pick<Renderer, 'queryOf'>): PageAddresses {
  return {
    cacheKey(url) {
      const at = url.indexOf('?')
      if (at < 0) return url
      const path = url.slice(0, at)
      const names = renderer.queryOf(path)
      if (!names) return null
      const { canonical, isCanonical } = canonicalQuery(url.slice(at + 1), names)
      return isCanonical ? withQuery(path, canonical) : null
    },
    redirectSpellings(request, response, next) {
      const [path = '/', ...queries] = request.originalUrl.split('?')
      const canonical = canonicalPath(path)
      if (canonical === null) return next()
      const query = queries.join('?')
      const names = query === '' ? null : renderer.queryOf(canonical)
      const asked = names ? canonicalQuery(query, names) : null
      if (canonical === path && asked?.isCanonical !== false) return next()
      const spelled = asked ? [asked.canonical, asked.rest] : [query]
      const location = withQuery(canonical, ...spelled)
      // No page has such an address, and few clients take such a header.
      if (location.length > longestAddress) throw failure('missing')
      response.redirect(308, location)
    },
  }
}
