import { useEffect } from 'react'
import { useLocation } from 'react-router'
import type { collect } from '#shared/collect.ts'
import { pageKind, type CountedEvent } from '#shared/page-kinds.ts'
import { currentConsent } from '../consent/current.ts'
import { trackedEvent, type TrackedEvent } from './track.ts'

/**
 * Our own anonymous counting, which the visitor's `analytics` switch governs: that a kind of page was
 * seen or used, and nothing about who it was.
 */
export function OwnCounting() {
  const { pathname } = useLocation()
  useEffect(() => count(pathname, 'view'), [pathname])
  useEffect(() => {
    const heard = (event: Event) => count(pathname, (event as CustomEvent<TrackedEvent>).detail)
    addEventListener(trackedEvent, heard)
    return () => removeEventListener(trackedEvent, heard)
  }, [pathname])
  return null
}

/** Browsers that ask all sites not to be counted; the second is not in every library of types yet. */
const declines = () =>
  navigator.doNotTrack === '1' ||
  ('globalPrivacyControl' in navigator && navigator.globalPrivacyControl === true)

function count(pathname: string, event: CountedEvent) {
  if (!currentConsent().preferences.analytics || declines()) return
  const path: (typeof collect)['path'] = '/api/collect'
  const body = JSON.stringify({ page: pageKind(pathname), event })
  navigator.sendBeacon(path, new Blob([body], { type: 'application/json' }))
}
