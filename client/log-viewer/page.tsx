import { lazy } from 'react'
import { useLoaderData } from 'react-router'
import { paths } from '#shared/paths.ts'
import { CodePrompt } from '../clients/code-prompt.tsx'
import { useSessionPage } from '../clients/use-session-page.ts'
import { resultPlace } from '../forms/result.ts'
import { Head } from '../site/head/head.tsx'
import { BrowserOnly } from '../ui/browser-only.tsx'
import type { LogsData } from './loader.ts'
import styles from './page.module.css'

const Viewer = lazy(async () => ({ default: (await import('./viewer.tsx')).Viewer }))

/** What stands in for the browser's log in production, where nothing of it is kept. */
const off = 'This browser: Debug logging is off in production.'

/**
 * The log viewer (docs/contract.md, Logs): what the server writes and, in development, what this
 * browser has written to the console.
 */
export function Component() {
  const { development, server } = useLoaderData<LogsData>()
  useSessionPage(null)
  return (
    <>
      <Head title="Log viewer" description="What the server and this browser are doing." hidden />
      {server ? (
        <>
          <header className={`wrap ${styles.head}`}>
            <h1 {...resultPlace}>Log viewer</h1>
            {!development && <p>{off}</p>}
          </header>
          <BrowserOnly>
            <Viewer />
          </BrowserOnly>
        </>
      ) : (
        <CodePrompt
          title="Log viewer"
          lead={`Sign in with a staff code. Logs never contain messages, codes or full IP addresses. ${off}`}
          to={paths.logs()}
        />
      )}
    </>
  )
}
