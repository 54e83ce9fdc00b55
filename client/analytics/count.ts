import { collectPath, pageKind, type CountedEvent } from '#shared/page-kinds.ts'
import { currentConsent } from '../consent/current.ts'

/** Browsers that ask all sites not to be counted; the second is not in every library of types yet. */
const declines = () =>
  navigator.doNotTrack === '1' ||
  ('globalPrivacyControl' in navigator && navigator.globalPrivacyControl === true)

/**
 * Our own anonymous counting, which the visitor's `analytics` switch governs: that a kind of page was
 * seen or used, and nothing about who it was.
 */
export function count(pathname: string, event: CountedEvent): void {
  if (!currentConsent().preferences.analytics || declines()) return
  const body = JSON.stringify({ page: pageKind(pathname), event })
  navigator.sendBeacon(collectPath, new Blob([body], { type: 'application/json' }))
}
