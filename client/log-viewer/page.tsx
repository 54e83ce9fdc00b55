import { lazy, useState } from 'react'
import { useLoaderData } from 'react-router'
import { paths } from '#shared/paths.ts'
import { SecretCodeForm } from '../clients/secret-code-form.tsx'
import { useSessionPage } from '../clients/use-session-page.ts'
import { Head } from '../site/head/head.tsx'
import { BrowserOnly } from '../ui/browser-only.tsx'
import { resultPlace } from '../forms/result.ts'
import type { LogsData } from './loader.ts'
import styles from './page.module.css'

const ServerLog = lazy(async () => ({ default: (await import('./viewer.tsx')).ServerLogViewer }))
const BrowserLog = lazy(async () => ({ default: (await import('./viewer.tsx')).BrowserLogViewer }))

/**
 * The log viewer (docs/contract.md, Logs): what the server writes, and what this browser has
 * written.
 */
export function Component() {
  const { development, server } = useLoaderData<LogsData>()
  useSessionPage(null)
  const [source, setSource] = useState<'server' | 'browser'>('server')
  return (
    <>
      <Head title="Log viewer" description="What the server and this browser are doing." hidden />
      <div className={styles.page}>
        <header className={`wrap ${styles.head}`}>
          <h1 {...resultPlace}>Log viewer</h1>
          <div role="group" aria-label="Which log" className={styles.sources}>
            {(['server', 'browser'] as const).map((each) => (
              <button
                key={each}
                type="button"
                aria-pressed={each === source}
                onClick={() => setSource(each)}
              >
                {each === 'server' ? 'Server' : 'This browser'}
              </button>
            ))}
          </div>
        </header>
        {source === 'server' && !server ? (
          <Closed />
        ) : (
          <BrowserOnly>
            {source === 'server' ? <ServerLog /> : <BrowserLog development={development} />}
          </BrowserOnly>
        )}
      </div>
    </>
  )
}

const Closed = () => (
  <section className={`wrap ${styles.closed}`} aria-labelledby="closed-title">
    <h2 id="closed-title">Staff only</h2>
    <p>Sign in with a staff code. Logs never contain messages, codes or full IP addresses.</p>
    <p className={styles.browser}>
      <strong>This browser:</strong> Debug logging is off in production.
    </p>
    <div>
      <SecretCodeForm to={paths.logs()} />
    </div>
  </section>
)
