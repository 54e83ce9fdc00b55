import { useRouteError } from 'react-router'
import { idly } from '../ui/lazily.tsx'
import { Document } from './document.tsx'

const ErrorScreen = idly(async () => (await import('./error-screen.tsx')).ErrorScreen, {
  atOnce: true,
})

/** The error element of the pages: the shell stays. */
export function PageError() {
  return <ErrorScreen error={useRouteError()} />
}

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
