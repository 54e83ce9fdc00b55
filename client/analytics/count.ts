import type { VisitSource } from '#shared/analytics/collect.ts'
import {
  collectPath,
  pageKind,
  readingAt,
  type CountedEvent,
} from '#shared/analytics/page-kinds.ts'
import { countedCampaign, countedHost } from '#shared/analytics/visit-source.ts'
import { currentConsent } from '../consent/current.ts'

/** Browsers that ask all sites not to be counted; the second is not in every library of types yet. */
const declines = () =>
  navigator.doNotTrack === '1' ||
  ('globalPrivacyControl' in navigator && navigator.globalPrivacyControl === true)

/** How the document was opened. */
type Arrival = {
  /** Where the visit came from; null where that can't be known, or is not to be told. */
  source: VisitSource | null
  /** False for a reload or a step back, and for what our own pages have opened. */
  isNew: boolean
}

/** How this document was opened; kept in memory alone, so it ends with the page. */
let arrival: Arrival | null = null
/** Whether the view that begins the visit was sent. */
let isBegun = false

/**
 * Our own anonymous counting, which the visitor's `analytics` switch governs: that a page was seen or
 * used, from where a visit came and what it ended in, and nothing about who it was. Nothing is stored
 * for it in the browser.
 */
export function count(pathname: string, event: CountedEvent): void {
  if (!currentConsent().preferences.analytics || declines()) return
  arrival ??= sourceOfVisit()
  const begins = event === 'view' && arrival.isNew && !isBegun
  const isOutcome = event !== 'view' && event !== 'search'
  const body = JSON.stringify({
    page: pageKind(pathname),
    event,
    ...(event === 'view' && { item: readingAt(pathname)?.slug }),
    ...((begins || isOutcome) && arrival.source && { visit: arrival.source }),
  })
  if (begins) isBegun = true
  navigator.sendBeacon(collectPath, new Blob([body], { type: 'application/json' }))
}

/**
 * Where the visit of this document came from, from what the browser knows of it by itself. Visitors
 * of private pages came by a link of their own, which is not counted.
 */
function sourceOfVisit(): Arrival {
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
