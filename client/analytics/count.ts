import { collectPath, pageKind, readingAt, type CountedEvent } from '#shared/page-kinds.ts'
import { currentConsent } from '../consent/current.ts'
import { sourceOfVisit, type Arrival } from './visit.ts'

/** Browsers that ask all sites not to be counted; the second is not in every library of types yet. */
const declines = () =>
  navigator.doNotTrack === '1' ||
  ('globalPrivacyControl' in navigator && navigator.globalPrivacyControl === true)

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
