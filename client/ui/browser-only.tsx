import { Suspense, type ReactNode } from 'react'
import { useHydrated } from './use-hydrated.ts'

/**
 * The place of a tool that needs a browser, usually a lazy component: the server leaves it out, and
 * the browser shows it once its code is there.
 */
export function BrowserOnly({ children }: { children: ReactNode }) {
  const isHydrated = useHydrated()
  const fallback = (
    <p role="status" className="wrap">
      Loading...
    </p>
  )
  return isHydrated ? <Suspense fallback={fallback}>{children}</Suspense> : fallback
}
