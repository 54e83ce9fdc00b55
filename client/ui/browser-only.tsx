import { Suspense, type ReactNode } from 'react'
import { useAlive } from './use-alive.ts'

/**
 * The place of a tool that needs a browser, usually a lazy component: the server leaves it out, and
 * the browser shows it once its code is there.
 */
export function BrowserOnly({ children }: { children: ReactNode }) {
  const isAlive = useAlive()
  const fallback = (
    <p role="status" className="wrap">
      Loading...
    </p>
  )
  return isAlive ? <Suspense fallback={fallback}>{children}</Suspense> : fallback
}
