import { useEffect } from 'react'
import type { CountedEvent } from '#shared/page-kinds.ts'
import { trackedEvent, type TrackedEvent } from './track.ts'

/** Counts that a page was seen, and what is done on it; the code comes once the page is alive. */
export function useOwnCounting(pathname: string) {
  useEffect(() => {
    const tell = (event: CountedEvent) =>
      import('./count.ts').then(
        ({ count }) => count(pathname, event),
        () => {},
      )
    void tell('view')
    const heard = (event: Event) => void tell((event as CustomEvent<TrackedEvent>).detail)
    addEventListener(trackedEvent, heard)
    return () => removeEventListener(trackedEvent, heard)
  }, [pathname])
}
