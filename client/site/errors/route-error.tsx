import { Component, use, useEffect, type ReactNode } from 'react'
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

/** The global error boundary: catches a page that breaks while it is shown. */
export class PageBoundary extends Component<{ children: ReactNode }, { broken: string | null }> {
  override state = { broken: null as string | null }

  static getDerivedStateFromError(error: unknown) {
    return { broken: error instanceof Error ? error.message : 'An unknown error occurred' }
  }

  override render() {
    const { broken } = this.state
    if (broken === null) return this.props.children
    const retry = () => this.setState({ broken: null })
    return (
      <DeferredContext.Consumer>
        {(code) => code && <code.BrokenScreen message={broken} retry={retry} />}
      </DeferredContext.Consumer>
    )
  }
}
