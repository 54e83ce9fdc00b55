import { isRouteErrorResponse, useRouteError } from 'react-router'
import { isFailure } from '#shared/failures.ts'
import { paths } from '#shared/paths.ts'
import { Document } from './document.tsx'

/** An error as the page shows it; also what travels to the browser (RouteErrorResponse shape). */
export type ShownFailure = { status: number; statusText: string; data: string; internal: false }

const statusTexts: Record<number, string> = { 404: 'Not Found', 410: 'Gone', 429: 'Too Many Requests', 503: 'Service Unavailable' }

/**
 * Any thrown value as status, status text and message (spec section 8, Route errors). In
 * production React and the server keep inner texts of unexpected errors from getting here.
 */
export function failureOf(error: unknown): ShownFailure {
  const shown = (status: number, statusText: string, data: string): ShownFailure => ({ status, statusText, data, internal: false })
  if (isFailure(error)) {
    return shown(error.status, statusTexts[error.status] ?? 'Error', error.message)
  }
  if (isRouteErrorResponse(error)) {
    const message = typeof error.data === 'string' && error.data ? error.data : 'An unexpected error occurred'
    return shown(error.status, error.statusText, message)
  }
  if (error instanceof Error) return shown(500, 'Internal Error', error.message)
  if (typeof error === 'string') {
    return error.includes('not found') ? shown(404, 'Not Found', error) : shown(500, 'Error', error)
  }
  return shown(500, 'Unknown Error', 'An unexpected error occurred')
}

/** The route error page (spec 2.2). */
export function ErrorScreen({ failure }: { failure: ShownFailure }) {
  return (
    <main>
      <h1>
        {failure.status} {failure.statusText}
      </h1>
      <p>
        {failure.status === 404
          ? "We couldn't find the page you're looking for."
          : "We've encountered an error while trying to display this page."}
      </p>
      <p>{failure.data}</p>
      <button type="button" onClick={() => history.back()}>Go Back</button>
      <a href={paths.home()}>Back to Home</a>
      <button type="button" onClick={() => location.reload()}>Reload Page</button>
    </main>
  )
}

/** The error element of the root route: a whole document. */
export function RootError() {
  return (
    <Document>
      <ErrorScreen failure={failureOf(useRouteError())} />
    </Document>
  )
}
