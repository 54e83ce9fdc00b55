import {
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react'
import { logLevels, maxLogLines } from '#shared/log-line.ts'
import { CopyButton } from '../links/copy-button.tsx'
import { browserEntries, onBrowserEntry } from './browser-buffer.ts'
import { LineList } from './line-list.tsx'
import { filterLines, noFilter, readLine, searchFor, type Filter, type Line } from './lines.ts'
import styles from './page.module.css'

const connections = {
  connecting: 'Connecting...',
  live: 'Live',
  lost: 'Connection lost, trying again...',
  ended: 'You are signed out. Reload the page to enter your code.',
} as const

/** The server's log as it comes in. */
type ServerLog = {
  lines: readonly Line[]
  connection: keyof typeof connections
  /** Lines that the connection was too slow for. */
  missed: number
}

/** Milliseconds for which new lines are collected before they are rendered together. */
const collectMs = 120

/** Follows the server's log; the browser reconnects by itself and resumes where it left off. */
function useServerLog(): ServerLog {
  const [log, setLog] = useState<ServerLog>({ lines: [], connection: 'connecting', missed: 0 })
  useEffect(() => {
    let arrived: Line[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const set = (change: (now: ServerLog) => Partial<ServerLog>) =>
      setLog((now) => ({ ...now, ...change(now) }))
    const show = () => {
      const added = arrived
      arrived = []
      timer = undefined
      set(({ lines }) => ({ lines: [...lines, ...added].slice(-maxLogLines) }))
    }
    const source = new EventSource('/api/logs')
    const on = (name: string, take: (event: MessageEvent<string>) => void) =>
      source.addEventListener(name, take as EventListener)
    on('begin', ({ data }) => {
      const { resumes } = JSON.parse(data) as { resumes: boolean }
      if (!resumes) arrived = []
      set(() => ({ connection: 'live', ...(!resumes && { lines: [], missed: 0 }) }))
    })
    on('message', ({ data, lastEventId }) => {
      arrived.push(readLine(data, lastEventId))
      timer ??= setTimeout(show, collectMs)
    })
    on('missed', ({ data }) => set(({ missed }) => ({ missed: missed + Number(data) })))
    on('end', ({ data }) => {
      if ((JSON.parse(data) as { reason: string }).reason !== 'signed-out') return
      source.close()
      set(() => ({ connection: 'ended' }))
    })
    source.addEventListener('error', () =>
      set(() => ({ connection: source.readyState === EventSource.CLOSED ? 'ended' : 'lost' })),
    )
    return () => {
      source.close()
      clearTimeout(timer)
    }
  }, [])
  return log
}

/** The server's log, live. */
export function ServerLogViewer() {
  const { lines, connection, missed } = useServerLog()
  const state = connections[connection]
  return (
    <Viewer
      name="server"
      lines={lines}
      state={missed > 0 ? `${state}, ${missed} lines skipped: too many for this connection` : state}
      isLive={connection === 'live'}
      empty={connection === 'live' ? 'Nothing has been logged yet.' : state}
    />
  )
}

/** What this browser has written to the console, in development. */
export function BrowserLogViewer() {
  const entries = useSyncExternalStore(onBrowserEntry, browserEntries)
  const lines = useMemo(
    () => entries.map(({ number, raw }) => readLine(raw, `browser-${number}`)),
    [entries],
  )
  return <Viewer name="browser" lines={lines} state="Live" isLive empty="No console output yet." />
}

/**
 * Shows lines as they come, filtered. Pausing holds new lines back without losing them.
 * @param props `name` starts the name of a download; `empty` is shown where there are no lines at all
 */
function Viewer({
  name,
  lines,
  state,
  isLive,
  empty,
}: {
  name: string
  lines: readonly Line[]
  state: string
  isLive: boolean
  empty: string
}) {
  const [filter, setFilter] = useState(noFilter)
  const [paused, setPaused] = useState<readonly Line[] | null>(null)
  const [follow, setFollow] = useState(true)
  const searchField = useRef<HTMLInputElement>(null)
  const all = paused ?? lines
  const { text, isPattern } = filter
  const typed = useDeferredValue(text)
  const search = useMemo(() => searchFor({ text: typed, isPattern }), [typed, isPattern])
  const shown = useMemo(() => filterLines(all, filter, search), [all, filter, search])
  const waiting = paused ? countAfter(lines, paused) : 0
  const togglePause = () => setPaused(paused ? null : lines)
  const field = (key: Exclude<keyof Filter, 'isPattern' | 'hidesAssets'>) => ({
    value: filter[key],
    onChange: ({ target }: { target: HTMLInputElement | HTMLSelectElement }) =>
      setFilter({ ...filter, [key]: target.value }),
  })
  const toggle = (key: 'isPattern' | 'hidesAssets') => ({
    isOn: filter[key],
    onClick: () => setFilter({ ...filter, [key]: !filter[key] }),
  })
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement)
      return
    if (event.key === '/') searchField.current?.focus()
    else if (event.key === 'p') togglePause()
    else if (event.key === 'f') setFollow(!follow)
    else return
    event.preventDefault()
  }

  return (
    // Shortcuts work anywhere in the viewer; each has a button or field as well.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={`wrap ${styles.viewer}`} onKeyDown={onKeyDown}>
      <div className={styles.bar} role="group" aria-label="Log filters">
        <label>
          Minimum level
          <select {...field('level')}>
            {logLevels.map((level) => (
              <option key={level}>{level}</option>
            ))}
          </select>
        </label>
        <label>
          Status
          <select {...field('status')}>
            <option value="">Any</option>
            {['2', '3', '4', '5'].map((digit) => (
              <option key={digit} value={digit}>
                {digit}xx
              </option>
            ))}
          </select>
        </label>
        <label className={styles.text}>
          Path
          <input {...field('path')} {...plain} placeholder="/shop" />
        </label>
        <label className={styles.text}>
          {isPattern ? 'Regular expression' : 'Contains'}
          <input
            ref={searchField}
            type="search"
            {...field('text')}
            {...plain}
            placeholder={isPattern ? 'ms":\\d{4,}' : 'Any text'}
            aria-invalid={search.problem ? true : undefined}
            aria-describedby="log-problem"
          />
        </label>
        <Toggle {...toggle('isPattern')} aria-label="Regular expression" title="Regular expression">
          .*
        </Toggle>
        <label>
          From
          <input type="datetime-local" step="1" {...field('from')} />
        </label>
        <label>
          To
          <input type="datetime-local" step="1" {...field('to')} />
        </label>
        <div className={styles.actions}>
          <Toggle {...toggle('hidesAssets')}>Hide assets</Toggle>
          <Toggle isOn={paused !== null} aria-keyshortcuts="p" onClick={togglePause}>
            {paused ? 'Resume' : 'Pause'}
          </Toggle>
          <Toggle isOn={follow} aria-keyshortcuts="f" onClick={() => setFollow(!follow)}>
            Follow
          </Toggle>
          <CopyButton text={textOf(shown)} about="the lines shown" />
          <button
            type="button"
            disabled={shown.length === 0}
            onClick={() => download(shown, `${name}-log`)}
          >
            Download
          </button>
        </div>
        <p id="log-problem" role="alert" className={styles.problem}>
          {search.problem}
        </p>
      </div>
      <p className={styles.state} data-live={(isLive && !paused) || undefined}>
        <span role="status">
          {paused ? `Paused, ${waiting} new ${waiting === 1 ? 'line' : 'lines'} waiting` : state}
        </span>
        <span>
          {shown.length < all.length && `${shown.length} of `}
          {all.length} lines
        </span>
      </p>
      {shown.length > 0 ? (
        <LineList lines={shown} cut={search.cut} follow={follow && !paused} onFollow={setFollow} />
      ) : (
        <div className={styles.empty}>
          <p>{all.length > 0 ? 'No lines match.' : empty}</p>
          {all.length > 0 && (
            <button type="button" onClick={() => setFilter(noFilter)}>
              Clear filter
            </button>
          )}
        </div>
      )}
    </div>
  )
}

const plain = {
  maxLength: 200,
  spellCheck: false,
  autoComplete: 'off',
  autoCapitalize: 'off',
} as const

/** A button that stays pressed while what it does is on. */
const Toggle = ({
  isOn,
  ...button
}: { isOn: boolean; children: ReactNode } & React.ComponentProps<'button'>) => (
  <button type="button" aria-pressed={isOn} {...button} />
)

/** How many lines came after the last one of an earlier list. */
function countAfter(lines: readonly Line[], earlier: readonly Line[]): number {
  const last = earlier.at(-1)?.key
  return lines.length - 1 - lines.findLastIndex(({ key }) => key === last)
}

const textOf = (lines: readonly Line[]) => lines.map(({ raw }) => `${raw}\n`).join('')

/** Saves lines as newline-delimited JSON, like the log files. */
function download(lines: readonly Line[], name: string) {
  const url = URL.createObjectURL(new Blob([textOf(lines)], { type: 'application/x-ndjson' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${name}-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}.ndjson`
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
