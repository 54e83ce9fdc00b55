import { lazy, useState } from 'react'
import { useLoaderData } from 'react-router'
import { paths } from '#shared/paths.ts'
import { SecretCodeForm } from '../clients/secret-code-form.tsx'
import { useSessionPage } from '../clients/use-session-page.ts'
import { Head } from '../site/head.tsx'
import { BrowserOnly } from '../ui/browser-only.tsx'
import type { LogsData } from './loader.ts'
import styles from './page.module.css'

const Log = lazy(async () => ({ default: (await import('./logs.tsx')).Log }))

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
          <h1>Log viewer</h1>
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
            <Log source={source} development={development} />
          </BrowserOnly>
        )}
      </div>
    </>
  )
}

const Closed = () => (
  <section className={`wrap ${styles.closed}`} aria-labelledby="closed-title">
    <h2 id="closed-title">The server’s log is for our own staff</h2>
    <p>Their code opens it. It never says what visitors wrote, nor any code or address in full.</p>
    <p className={styles.browser}>
      <strong>This browser:</strong> Debug logging is off in production.
    </p>
    <div>
      <SecretCodeForm to={paths.logs()} />
    </div>
  </section>
)
