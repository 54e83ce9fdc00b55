import { useEffect } from 'react'
import type { CountedEvent } from '#shared/analytics/page-kinds.ts'
import { trackedEvent, type TrackedEvent } from './track.ts'

/** Brings the code that counts. */
export type LoadCount = () => Promise<{ count: (pathname: string, event: CountedEvent) => void }>

/** Counts that a page was seen, and what is done on it; the code comes once the page is alive. */
export function useOwnCounting(pathname: string, loadCount: LoadCount) {
  useEffect(() => {
    const report = (event: CountedEvent) =>
      loadCount().then(
        ({ count }) => count(pathname, event),
        () => {},
      )
    void report('view')
    const onTracked = (event: Event) => void report((event as CustomEvent<TrackedEvent>).detail)
    addEventListener(trackedEvent, onTracked)
    return () => removeEventListener(trackedEvent, onTracked)
  }, [pathname, loadCount])
}
