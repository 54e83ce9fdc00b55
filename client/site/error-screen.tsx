import { isRouteErrorResponse } from 'react-router'
import { paths } from '#shared/paths.ts'
import button from '../ui/button.module.css'
import styles from './error-page.module.css'

/** An error as the page shows it; also what travels to the browser (RouteErrorResponse shape). */
export type ShownFailure = { status: number; statusText: string; data: string; internal: false }

const statusTexts: Record<number, string> = {
  404: 'Not Found',
  410: 'Gone',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
}

/**
 * Any thrown value as status, status text and message (spec section 8, Route errors). In
 * production React and the server keep inner texts of unexpected errors from getting here.
 */
export function failureOf(error: unknown): ShownFailure {
  const shown = (status: number, statusText: string, data: string): ShownFailure => ({
    status,
    statusText,
    data,
    internal: false,
  })
  if (isRouteErrorResponse(error)) {
    const message =
      typeof error.data === 'string' && error.data ? error.data : 'An unexpected error occurred'
    return shown(error.status, error.statusText, message)
  }
  if (error instanceof Error) {
    // A failure of our own, or an error reply of a call.
    const status = 'status' in error && typeof error.status === 'number' ? error.status : 500
    return shown(status, statusTexts[status] ?? 'Internal Error', error.message)
  }
  if (typeof error === 'string') {
    return error.includes('not found') ? shown(404, 'Not Found', error) : shown(500, 'Error', error)
  }
  return shown(500, 'Unknown Error', 'An unexpected error occurred')
}

/** The route error page (spec 2.2), as the main part of a page. */
export function ErrorScreen({ error }: { error: unknown }) {
  const { status, statusText, data } = failureOf(error)
  const explanation =
    status === 404
      ? "We couldn't find the page you're looking for."
      : "We've encountered an error while trying to display this page."
  return (
    <div data-hero className={`night ${styles.screen}`}>
      <title>{`${status} ${statusText}`}</title>
      <meta name="robots" content="noindex" />
      <div className="wrap">
        <h1>
          <span className={styles.status}>{status}</span> {statusText}
        </h1>
        <p className={styles.explanation}>{explanation}</p>
        {data !== explanation && <p className={styles.detail}>{data}</p>}
        <div className={styles.ways}>
          <a href={paths.home()} className={button.button}>
            Back to Home
          </a>
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
