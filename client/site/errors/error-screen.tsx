import { isRouteErrorResponse } from 'react-router'
import { isFailure } from '#shared/failures.ts'
import button from '../../ui/button.module.css'
import { SubstituteHead } from '../head/head.tsx'
import { unreachable } from './page-code.ts'
import { WaysBack } from './ways-back.tsx'
import styles from './route-error.module.css'

/** An error as the page shows it; also what travels to the browser (RouteErrorResponse shape). */
export type ShownFailure = {
  status: number
  statusText: string
  data: string
  internal: false
  /** The request that failed on the server, where someone should be told about it. */
  requestId?: string
}

const unexpected = 'An unexpected error occurred'

const statusTexts: Record<number, string> = {
  404: 'Not Found',
  410: 'Gone',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
}

/**
 * Any thrown value as status, status text and message. On the server it goes through
 * {@link publicFailure} first.
 */
export function failureOf(error: unknown): ShownFailure {
  const shown = (status: number, statusText: string, data: string): ShownFailure => ({
    status,
    statusText,
    data,
    internal: false,
  })
  if (isRouteErrorResponse(error)) {
    const message = typeof error.data === 'string' && error.data ? error.data : unexpected
    const { requestId } = error as Partial<ShownFailure>
    return {
      ...shown(error.status, error.statusText, message),
      ...(requestId !== undefined && { requestId }),
    }
  }
  if (error instanceof Error) {
    // A failure of our own, or an error reply of a call.
    const status = 'status' in error && typeof error.status === 'number' ? error.status : 500
    return shown(status, statusTexts[status] ?? 'Internal Error', error.message)
  }
  if (typeof error === 'string') {
    return error.includes('not found') ? shown(404, 'Not Found', error) : shown(500, 'Error', error)
  }
  return shown(500, 'Unknown Error', unexpected)
}

/**
 * What visitors may read of an error on the server: the words of a failure that was meant for them.
 * Anything else is an error inside, of which only the log has the text.
 * @param requestId under which the log has it
 */
export function publicFailure(error: unknown, requestId: string): ShownFailure {
  const isMeant = isRouteErrorResponse(error) || isFailure(error)
  const shown = failureOf(isMeant ? error : new Error(unexpected))
  return shown.status >= 500 ? { ...shown, requestId } : shown
}

/** The route error page, as the main part of a page. */
export function ErrorScreen({ error }: { error: unknown }) {
  const { status, statusText, data, requestId } = failureOf(error)
  const explanation =
    status === 404
      ? "We couldn't find the page you're looking for."
      : "We've encountered an error while trying to display this page."
  return (
    <div data-hero className={`night ${styles.screen}`}>
      <SubstituteHead title={`${status} ${statusText}`} />
      <div className="wrap">
        <h1>
          <span className={styles.status}>{status}</span> {statusText}
        </h1>
        {/* What to do comes first, where it's known. */}
        <p className={styles.explanation}>{data === unreachable ? data : explanation}</p>
        {data !== explanation && (
          <p className={styles.detail}>{data === unreachable ? explanation : data}</p>
        )}
        {requestId !== undefined && (
          <p className={styles.detail}>Quote this reference if you report it: {requestId}.</p>
        )}
        <div className={styles.ways}>
          <WaysBack home="Back to Home" />
          <button
            type="button"
            className={`${button.button} ${button.quiet}`}
            onClick={() => history.back()}
          >
            Go Back
          </button>
          <button
            type="button"
            className={`${button.button} ${button.quiet}`}
            onClick={() => location.reload()}
          >
            Reload Page
          </button>
        </div>
      </div>
    </div>
  )
}
