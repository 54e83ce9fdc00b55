import { use, useEffect } from 'react'
import { useRouteError } from 'react-router'
import { Document } from '../document.tsx'
import { DeferredContext } from '../deferred.tsx'
import styles from './route-error.module.css'
import { isPageCodeError, unreachable } from './page-code.ts'

/** The error element of the pages: the shell stays. */
export function PageError() {
  const error = useRouteError()
  const code = use(DeferredContext)
  const isCode = isPageCodeError(error)
  useEffect(() => {
    // Code that is not there any more, as after a new build: the server draws the page instead. Once
    // is enough, in case that it cannot either.
    if (isCode && navigator.onLine && !wasReloaded()) location.reload()
  }, [isCode])
  return code ? (
    <code.ErrorScreen error={error} />
  ) : (
    <p className={`wrap ${styles.explanation}`}>{unreachable}</p>
  )
}

const wasReloaded = () =>
  performance
    .getEntriesByType('navigation')
    .some((entry) => entry instanceof PerformanceNavigationTiming && entry.type === 'reload')

/** The error element of the root route: a whole document. */
export function RootError() {
  return (
    <Document>
      <main>
        <PageError />
      </main>
    </Document>
  )
}
