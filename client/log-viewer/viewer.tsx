import { RE2JS } from 're2js'
import { useDeferredValue, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { logLevels, rank } from '#shared/log-line.ts'
import { CopyButton } from '../links/copy-button.tsx'
import { browserEntries, onBrowserEntry } from './browser-buffer.ts'
import { LineList } from './line-list.tsx'
import { readLine, type Line } from './line.ts'
import { useServerLog, type ServerLog } from './use-server-log.ts'
import styles from './viewer.module.css'

const connections: Readonly<Record<ServerLog['connection'], string>> = {
  connecting: 'Connecting...',
  live: 'Live',
  lost: 'Connection lost, trying again...',
  ended: 'You are signed out. Reload the page to enter your code.',
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

/** What this browser has written to the console; in production nothing is kept. */
export function BrowserLogViewer({ development }: { development: boolean }) {
  const entries = useSyncExternalStore(onBrowserEntry, browserEntries)
  const lines = useMemo(
    () => entries.map(({ number, raw }) => readLine(raw, `browser-${number}`)),
    [entries],
  )
  const off = 'Debug logging is off in production'
  return (
    <Viewer
      name="browser"
      lines={lines}
      state={development ? 'Live' : off}
      isLive={development}
      empty={development ? 'No console output yet.' : off}
    />
  )
}

const noFilter = { level: 'trace', text: '', isPattern: false, from: '', to: '' }

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
  const search = useRef<HTMLInputElement>(null)
  const all = paused ?? lines
  const { shown, problem } = useFiltered(all, filter)
  const waiting = paused ? countAfter(lines, paused) : 0
  const togglePause = () => setPaused(paused ? null : lines)
  const want =
    (field: 'level' | 'text' | 'from' | 'to') =>
    ({ target }: { target: HTMLInputElement | HTMLSelectElement }) =>
      setFilter({ ...filter, [field]: target.value })
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement)
      return
    if (event.key === '/') search.current?.focus()
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
          <select value={filter.level} onChange={want('level')}>
            {logLevels.map((level) => (
              <option key={level}>{level}</option>
            ))}
          </select>
        </label>
        <label className={styles.text}>
          {filter.isPattern ? 'Regular expression' : 'Contains'}
          <input
            ref={search}
            type="search"
            value={filter.text}
            maxLength={200}
            spellCheck={false}
            autoComplete="off"
            autoCapitalize="off"
            placeholder={filter.isPattern ? 'status":5\\d\\d' : 'Any text'}
            aria-invalid={problem ? true : undefined}
            aria-describedby="log-problem"
            onChange={want('text')}
          />
        </label>
        <button
          type="button"
          aria-pressed={filter.isPattern}
          aria-label="Regular expression"
          title="Regular expression"
          onClick={() => setFilter({ ...filter, isPattern: !filter.isPattern })}
        >
          .*
        </button>
        <label>
          From
          <input type="datetime-local" step="1" value={filter.from} onChange={want('from')} />
        </label>
        <label>
          To
          <input type="datetime-local" step="1" value={filter.to} onChange={want('to')} />
        </label>
        <div className={styles.actions}>
          <button
            type="button"
            aria-pressed={paused !== null}
            aria-keyshortcuts="p"
            onClick={togglePause}
          >
            {paused ? 'Resume' : 'Pause'}
          </button>
          <button
            type="button"
            aria-pressed={follow}
            aria-keyshortcuts="f"
            onClick={() => setFollow(!follow)}
          >
            Follow
          </button>
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
          {problem}
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
        <LineList lines={shown} follow={follow && !paused} onFollow={setFollow} />
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

/** The lines that pass the filter, and what is wrong with its expression. */
function useFiltered(
  lines: readonly Line[],
  { level, text, isPattern, from, to }: typeof noFilter,
) {
  const typed = useDeferredValue(text)
  const { matches, problem } = useMemo(() => matcherOf(typed, isPattern), [typed, isPattern])
  const shown = useMemo(() => {
    const minRank = rank(level)
    const [first, last] = [Date.parse(from), Date.parse(to)]
    return lines.filter(
      (line) =>
        rank(line.level) >= minRank && !(line.at < first || line.at > last) && matches(line),
    )
  }, [lines, level, matches, from, to])
  return { shown, problem }
}

/**
 * What decides whether a line has the text. Expressions are RE2's, which take time in proportion to
 * the text, so that none can freeze the page.
 */
function matcherOf(
  text: string,
  isPattern: boolean,
): { matches: (line: Line) => boolean; problem: string | null } {
  const wanted = text.toLowerCase()
  if (!isPattern) return { matches: ({ raw }) => raw.toLowerCase().includes(wanted), problem: null }
  try {
    const pattern = RE2JS.compile(text, RE2JS.CASE_INSENSITIVE)
    return { matches: ({ raw }) => pattern.test(raw), problem: null }
  } catch (error) {
    const why = (error as Error).message.replace(/^error parsing regexp: /, '')
    return { matches: () => false, problem: `Not a regular expression: ${why}` }
  }
}

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
