import { useDeferredValue, useMemo, useState, useSyncExternalStore } from 'react'
import { logLevels } from '#shared/log-line.ts'
import { Checkbox } from '../forms/checkbox.tsx'
import { Field, SelectField } from '../forms/field.tsx'
import { CopyButton } from '../links/copy-button.tsx'
import buttons from '../ui/button.module.css'
import { browserLines, onBrowserLine } from './browser-buffer.ts'
import { LineList } from './line-list.tsx'
import { filterLines, searchFor, type Filter, type Line } from './lines.ts'
import styles from './page.module.css'
import { useServerLog } from './use-server-log.ts'

const connections = {
  connecting: 'Connecting...',
  live: 'Live',
  lost: 'Connection lost, trying again...',
  ended: 'You are signed out. Reload the page to enter your code.',
} as const

const form = 'log-filters'
const button = `${buttons.button} ${buttons.quiet} ${buttons.small}`

/** The log as it comes, filtered. Pausing holds new lines back without losing them. */
export function Viewer() {
  const { lines, connection, missed } = useServerLog()
  const all = useWithBrowser(lines)
  const [isPaused, setPaused] = useState(false)
  const [held, setHeld] = useState(all)
  if (!isPaused && held !== all) setHeld(all)
  const waiting = all.length - 1 - all.indexOf(held.at(-1)!)

  const [filter, setFilter] = useState<Filter>({})
  const typed = useDeferredValue(filter)
  const search = useMemo(() => searchFor(typed), [typed])
  const shown = useMemo(() => filterLines(held, typed, search), [held, typed, search])
  const text = shown.map(({ raw }) => `${raw}\n`).join('')

  const state = isPaused
    ? `Paused, ${waiting} new ${waiting === 1 ? 'line' : 'lines'} waiting`
    : connections[connection]
  const skipped = missed > 0 ? `, ${missed} lines skipped: too many for this connection` : ''
  return (
    <div className="wrap">
      <Filters problem={search.problem} onChange={setFilter} />
      <div className={styles.actions}>
        <button type="button" className={button} onClick={() => setPaused(!isPaused)}>
          {isPaused ? 'Resume' : 'Pause'}
        </button>
        <CopyButton text={text} about="the lines shown" className={button} />
        <button
          type="button"
          className={button}
          disabled={shown.length === 0}
          onClick={() => download(text)}
        >
          Download
        </button>
        <p role="status" data-live={(connection === 'live' && !isPaused) || undefined}>
          {state + skipped}
        </p>
        <p>
          {shown.length < held.length && `${shown.length} of `}
          {held.length} lines
        </p>
      </div>
      {shown.length > 0 ? (
        <LineList lines={shown} cut={search.cut} onOpen={setPaused} />
      ) : (
        <div className={styles.empty}>
          <p>{held.length > 0 ? 'No lines match.' : 'No lines yet.'}</p>
          {held.length > 0 && (
            <button type="reset" form={form} className={button}>
              Clear filter
            </button>
          )}
        </div>
      )}
    </div>
  )
}

/** The server's lines and, in development, those of this browser's console between them. */
function useWithBrowser(server: readonly Line[]): readonly Line[] {
  const browser = useSyncExternalStore(onBrowserLine, browserLines, browserLines)
  return useMemo(
    () =>
      browser.length > 0
        ? [...server, ...browser].toSorted((a, b) => a.time.localeCompare(b.time))
        : server,
    [server, browser],
  )
}

/** What the lines are filtered by. @param props `problem` is what is wrong with the expression */
function Filters({
  problem,
  onChange,
}: {
  problem: string | null
  onChange: (filter: Filter) => void
}) {
  return (
    <form
      id={form}
      aria-label="Log filters"
      className={styles.filters}
      onInput={({ currentTarget }) => onChange(Object.fromEntries(new FormData(currentTarget)))}
      onReset={() => onChange({})}
    >
      <SelectField
        label="Minimum level"
        name="level"
        options={logLevels.map((level) => ({ value: level, label: level }))}
      />
      <SelectField
        label="Status"
        name="status"
        options={['', '2', '3', '4', '5'].map((digit) => ({
          value: digit,
          label: digit ? `${digit}xx` : 'Any',
        }))}
      />
      <Field label="Path" name="path" placeholder="/shop" {...plain} />
      <Field
        label="Contains"
        name="text"
        type="search"
        placeholder="Any text"
        error={problem ?? undefined}
        {...plain}
      />
      <Checkbox label="Regular expression" name="isPattern" className={styles.box} />
      <Checkbox label="Hide assets" name="hidesAssets" className={styles.box} />
      <Field label="From (Helsinki)" name="from" type="datetime-local" step="1" />
      <Field label="To (Helsinki)" name="to" type="datetime-local" step="1" />
    </form>
  )
}

const plain = {
  maxLength: 200,
  spellCheck: false,
  autoComplete: 'off',
  autoCapitalize: 'off',
} as const

/** Saves lines as newline-delimited JSON, like the log files. */
function download(text: string) {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/x-ndjson' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `log-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}.ndjson`
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
