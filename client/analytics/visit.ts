import { pageKind } from '#shared/page-kinds.ts'
import { countedCampaign, countedHost, type VisitSource } from '#shared/visit-source.ts'

/** How the document was opened. */
export type Arrival = {
  /** Where the visit came from; null where that can't be known, or is not to be told. */
  source: VisitSource | null
  /** False for a reload or a step back, and for what our own pages have opened. */
  isNew: boolean
}

/**
 * Where the visit of this document came from, from what the browser knows of it by itself. Visitors
 * of private pages came by a link of their own, which is not counted.
 */
export function sourceOfVisit(): Arrival {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const { pathname, searchParams } = new URL(navigation?.name ?? location.href)
  const from = URL.canParse(document.referrer) ? new URL(document.referrer) : null
  const landing = pageKind(pathname)
  if (from?.origin === location.origin || landing === 'client-area') {
    return { source: null, isNew: false }
  }
  const value = (name: string) => searchParams.get(`utm_${name}`) ?? undefined
  const source = {
    referrer: countedHost(from?.hostname ?? ''),
    ...countedCampaign({
      source: value('source'),
      medium: value('medium'),
      campaign: value('campaign'),
    }),
    landing,
  }
  return { source, isNew: (navigation?.type ?? 'navigate') === 'navigate' }
}
