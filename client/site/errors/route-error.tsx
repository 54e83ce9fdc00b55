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
    if (isCode) letServerDraw()
  }, [isCode])
  return code ? (
    <code.ErrorScreen error={error} />
  ) : (
    <p className={`wrap ${styles.explanation}`}>{unreachable}</p>
  )
}

/**
 * Where code is not there any more, as after a new build, the server draws the page instead. Once is
 * enough, in case that it cannot either.
 */
function letServerDraw() {
  if (navigator.onLine && !wasReloaded()) location.reload()
}

/** Whether this very page was: a visitor may have reloaded the one they came from. */
const wasReloaded = () =>
  performance
    .getEntriesByType('navigation')
    .some(
      (entry) =>
        entry instanceof PerformanceNavigationTiming &&
        entry.type === 'reload' &&
        withoutHash(entry.name) === withoutHash(location.href),
    )

const withoutHash = (address: string) => address.split('#', 1)[0]

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

/**
 * The global error boundary: catches a page that breaks while it is shown, or of which a part's code
 * does not come.
 */
export class PageBoundary extends Component<{ children: ReactNode }, { broken: Error | null }> {
  override state = { broken: null as Error | null }

  static getDerivedStateFromError(error: unknown) {
    return { broken: error instanceof Error ? error : new Error('An unknown error occurred') }
  }

  override componentDidCatch(error: unknown) {
    if (isPageCodeError(error)) letServerDraw()
  }

  override render() {
    const { broken } = this.state
    if (!broken) return this.props.children
    // React keeps that code did not come.
    const retry = () =>
      isPageCodeError(broken) ? location.reload() : this.setState({ broken: null })
    return (
      <DeferredContext.Consumer>
        {(code) => code && <code.BrokenScreen message={broken.message} retry={retry} />}
      </DeferredContext.Consumer>
    )
  }
}
