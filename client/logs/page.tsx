import { useMemo, useState, useSyncExternalStore } from 'react'
import { useLoaderData } from 'react-router'
import { paths } from '#shared/paths.ts'
import { SecretCodeForm } from '../clients/secret-code-form.tsx'
import { useSessionPage } from '../clients/use-session-page.ts'
import { Head } from '../site/head.tsx'
import { browserEntries, onBrowserEntry } from './browser-buffer.ts'
import { readLine } from './line.ts'
import type { LogsData } from './loader.ts'
import styles from './page.module.css'
import { useServerLog, type LogConnection } from './use-server-log.ts'
import { Viewer } from './viewer.tsx'

/** The log viewer (design 1.9): what the server writes, and what this browser has written. */
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
        {source === 'browser' ? (
          <BrowserLog development={development} />
        ) : server ? (
          <ServerLog />
        ) : (
          <Closed />
        )}
      </div>
    </>
  )
}

const connections: Readonly<Record<LogConnection, string>> = {
  connecting: 'Connecting...',
  live: 'Live',
  lost: 'Connection lost, trying again...',
  ended: 'You are signed out. Reload the page to enter your code.',
}

function ServerLog() {
  const { lines, connection, missed } = useServerLog(true)
  const state = connections[connection]
  return (
    <Viewer
      name="server"
      lines={lines}
      state={missed > 0 ? `${state}, ${missed} lines skipped: too many for this connection` : state}
      live={connection === 'live'}
      empty={connection === 'live' ? 'Nothing has been logged yet.' : state}
    />
  )
}

function BrowserLog({ development }: { development: boolean }) {
  const entries = useSyncExternalStore(onBrowserEntry, browserEntries, () => none)
  const lines = useMemo(
    () => entries.map(({ number, raw }) => readLine(raw, `browser-${number}`)),
    [entries],
  )
  return (
    <Viewer
      name="browser"
      lines={lines}
      state={development ? 'Live' : 'Debug logging is off in production'}
      live={development}
      empty={
        development
          ? 'This page has written nothing to the console yet.'
          : 'Debug logging is off in production'
      }
    />
  )
}

const none: ReturnType<typeof browserEntries> = []

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
