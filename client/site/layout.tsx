import type { ReactNode } from 'react'

/** The shell around every page (spec 2.3). */
export function Layout({ children }: { children: ReactNode }) {
  return <main id="main">{children}</main>
}
