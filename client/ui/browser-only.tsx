import { Suspense, useSyncExternalStore, type ReactNode } from 'react'

const never = () => () => {}

/**
 * The place of a tool that needs a browser, usually a lazy component: the server leaves it out, and
 * the browser shows it once its code is there.
 */
export function BrowserOnly({ children }: { children: ReactNode }) {
  const isBrowser = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  const fallback = (
    <p role="status" className="wrap">
      Loading...
    </p>
  )
  return isBrowser ? <Suspense fallback={fallback}>{children}</Suspense> : fallback
}
