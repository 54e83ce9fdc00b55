import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { consentChanged } from '#shared/consent.ts'
import type { SiteConfig } from '#shared/site-config.ts'
import { currentConsent } from '../consent/current.ts'
import type { Measuring } from './measuring.ts'
import { trackedEvent, type TrackedEvent } from './track.ts'

/**
 * Tells measuring services of others about page views, where the configuration names one and the
 * visitor has switched them on. Until both are so, not even the code for it is loaded.
 */
export function AnalyticsHost({ config }: { config: NonNullable<SiteConfig['analytics']> }) {
  const { pathname, search } = useLocation()
  const view = useRef({ path: '', search: '' })
  const measuring = useRef<Measuring | null>(null)

  useEffect(() => {
    const over = new AbortController()
    const { signal } = over
    const update = async () => {
      if (!currentConsent().measurement) {
        measuring.current?.stop()
        measuring.current = null
        return
      }
      const { createMeasuring } = await import('./measuring.ts')
      // Withdrawn, or started twice, while the code was on its way.
      if (signal.aborted || measuring.current || !currentConsent().measurement) return
      measuring.current = createMeasuring(config)
      measuring.current.pageView(view.current.path, view.current.search)
    }
    const changed = () => void update()
    changed()
    addEventListener(consentChanged, changed, { signal })
    addEventListener('storage', changed, { signal })
    addEventListener(
      trackedEvent,
      (event) => measuring.current?.event((event as CustomEvent<TrackedEvent>).detail),
      { signal },
    )
    return () => over.abort()
  }, [config])

  useEffect(() => {
    view.current = { path: pathname, search }
    measuring.current?.pageView(pathname, search)
  }, [pathname, search])

  return null
}
