import { useMemo, useSyncExternalStore } from 'react'
import { browserEntries, onBrowserEntry } from './browser-buffer.ts'
import { readLine } from './line.ts'
import { useServerLog, type LogConnection } from './use-server-log.ts'
import { Viewer } from './viewer.tsx'

/** One of the two logs in the viewer. */
export const Log = ({
  source,
  development,
}: {
  source: 'server' | 'browser'
  development: boolean
}) => (source === 'server' ? <ServerLog /> : <BrowserLog development={development} />)

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
