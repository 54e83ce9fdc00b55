import { useEffect, useRef } from 'react'
import { useLocation, useMatches } from 'react-router'
import type { SiteConfig } from '#shared/site-config.ts'
import { currentConsent, onConsent } from '../consent/current.ts'
import type { Measuring } from './measuring.ts'
import type { VisitedPage } from './page-address.ts'
import { trackedEvent, type TrackedEvent } from './track.ts'

/**
 * Tells measuring services of others about page views, where the configuration names one and the
 * visitor has switched them on. Until both are so, not even the code for it is loaded.
 */
export function AnalyticsHost({ config }: { config: NonNullable<SiteConfig['analytics']> }) {
  const { pathname, search } = useLocation()
  const { id = '', params = {} } = useMatches().at(-1) ?? {}
  // A text, since a form that is posted makes the same parameters again, which isn't a page view.
  const parameters = Object.keys(params).join(' ')
  const visited = useRef<VisitedPage>({ id, path: '', search: '', parameters })
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
      measuring.current.pageView(visited.current)
    }
    const changed = () => void update()
    changed()
    const endListening = onConsent(changed)
    addEventListener(
      trackedEvent,
      (event) => measuring.current?.event((event as CustomEvent<TrackedEvent>).detail),
      { signal },
    )
    return () => {
      over.abort()
      endListening()
    }
  }, [config])

  useEffect(() => {
    visited.current = { id, path: pathname, search, parameters }
    measuring.current?.pageView(visited.current)
  }, [id, pathname, search, parameters])

  return null
}
