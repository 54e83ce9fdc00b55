import { memo, useDeferredValue, useEffect, useId, useMemo, useState } from 'react'
import { logLevels, maxLogLines, readLogLine } from '#shared/log-line.ts'
import { Checkbox } from '../forms/checkbox.tsx'
import fieldSet from '../forms/field-set.module.css'
import { Field, SelectField } from '../forms/field.tsx'
import { CopyButton } from '../links/copy-button.tsx'
import buttons from '../ui/button.module.css'
import { followConsole } from './browser-buffer.ts'
import { filterLines, readLine, searchFor, type Filter, type Line, type Search } from './lines.ts'
import styles from './page.module.css'

const button = `${buttons.button} ${buttons.quiet} ${buttons.small}`

/** The log as it comes, filtered. Pausing holds new lines back without losing them. */
export function Viewer() {
  const { lines, connection } = useLog()
  const [isPaused, setPaused] = useState(false)
  const [held, setHeld] = useState(lines)
  if (!isPaused && held !== lines) setHeld(lines)
  const waiting = lines.length - 1 - lines.indexOf(held.at(-1)!)

  // On phones all but the text waits behind a button: nothing of the log was in sight under them.
  const [showsAll, setShowsAll] = useState(false)
  const filtersId = useId()
  const [typed, setTyped] = useState<Filter>({})
  const filter = useDeferredValue(typed)
  const search = useMemo(() => searchFor(filter), [filter])
  const shown = useMemo(() => filterLines(held, filter, search), [held, filter, search])
  const text = shown.map(({ raw }) => `${raw}\n`).join('')
  return (
    <div className="wrap">
      <form
        aria-label="Log filters"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onInput={({ currentTarget }) => setTyped(Object.fromEntries(new FormData(currentTarget)))}
        onReset={() => setTyped({})}
      >
        <div
          id={filtersId}
          className={`${fieldSet.fields} ${styles.filters}`}
          data-all={showsAll || undefined}
        >
          <div className={styles.text}>
            <Field
              label="Contains"
              name="text"
              type="search"
              placeholder="Any text"
              error={search.problem}
            />
            <p className={styles.more}>
              <button
                type="button"
                className={button}
                aria-expanded={showsAll}
                aria-controls={filtersId}
                onClick={() => setShowsAll(!showsAll)}
              >
                Filters
              </button>
            </p>
          </div>
          <Checkbox label="Regular expression" name="isPattern" className={styles.box} />
          <Checkbox label="Hide assets" name="hidesAssets" className={styles.box} />
          <SelectField label="Minimum level" name="level" options={levels} />
          <SelectField label="Status" name="status" options={statuses} />
          <Field label="Path" name="path" placeholder="/shop" />
          <Field label="From (Helsinki)" name="from" type="datetime-local" step="1" />
          <Field label="To (Helsinki)" name="to" type="datetime-local" step="1" />
        </div>
        <div className={styles.actions}>
          <button type="button" className={button} onClick={() => setPaused(!isPaused)}>
            {isPaused ? 'Resume' : 'Pause'}
          </button>
          <CopyButton text={text} about="the lines shown" className={button} />
          <button type="button" className={button} onClick={() => download(text)}>
            Download
          </button>
          {shown.length < held.length && (
            <button type="reset" className={button}>
              Clear filter
            </button>
          )}
          <p role="status" data-live={(connection === 'Live' && !isPaused) || undefined}>
            {isPaused
              ? `Paused, ${waiting} new ${waiting === 1 ? 'line' : 'lines'} waiting`
              : connection}
          </p>
          <p>
            {shown.length < held.length && `${shown.length} of `}
            {held.length} lines
          </p>
        </div>
      </form>
      <div className={styles.list}>
        <ol aria-label="Log lines, oldest first">
          {shown.map((line) => (
            <Row key={line.key} line={line} cut={search.cut} onOpen={setPaused} />
          ))}
        </ol>
        {shown.length === 0 && <p>{held.length > 0 ? 'No lines match.' : 'No lines yet.'}</p>}
      </div>
    </div>
  )
}

const levels = logLevels.map((level) => ({ value: level, label: level }))
const statuses = [
  { value: '', label: 'Any' },
  ...['2', '3', '4', '5'].map((digit) => ({ value: digit, label: `${digit}xx` })),
]

/**
 * The server's lines and, in development, what this browser has written to the console. The browser
 * reconnects by itself and resumes where it left off.
 */
function useLog() {
  const [lines, setLines] = useState<readonly Line[]>([])
  const [connection, setConnection] = useState('Connecting...')
  useEffect(() => {
    let count = 0
    const add = (raws: readonly string[]) => {
      const more = raws.map((raw) => readLine(raw, String((count += 1))))
      setLines((before) => inOrder([...before, ...more]).slice(-maxLogLines))
    }
    const leave = followConsole(add)
    const source = new EventSource('/api/logs')
    source.addEventListener('open', () => setConnection('Live'))
    source.addEventListener('message', ({ data }: MessageEvent<string>) => add(data.split('\n')))
    source.addEventListener('error', () =>
      setConnection(
        source.readyState === EventSource.CLOSED
          ? 'You are signed out, or the server is too busy. Reload the page.'
          : 'Connection lost, trying again...',
      ),
    )
    return () => {
      source.close()
      leave()
    }
  }, [])
  return { lines, connection }
}

/** The server's lines stay as they came, as its clock may be put back; the browser's go between them. */
const inOrder = (lines: readonly Line[]) =>
  import.meta.env.DEV ? lines.toSorted((a, b) => a.time.localeCompare(b.time)) : lines

type RowProps = { line: Line; cut: Search['cut']; onOpen: (isOpen: true) => void }

/** A line, which opens to the whole of what it says; what is read then must not scroll away. */
const Row = memo(function Row({ line, cut, onOpen }: RowProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <li className={styles.line} data-level={line.level}>
      <details
        onToggle={({ currentTarget: { open } }) => {
          setOpen(open)
          if (open) onOpen(true)
        }}
      >
        <summary>
          <time dateTime={line.time}>{line.time.slice(11, 23)}</time>
          {`  ${line.level.padEnd(5)}  ${line.status ?? '   '}  `}
          <span className={styles.message}>{marked(cut(line.message))}</span>
          {'  '}
          {marked(cut(line.detail))}
        </summary>
        {isOpen && <pre>{pretty(readLogLine(line.raw))}</pre>}
      </details>
    </li>
  )
})

/** A text whose matches are every second part, which have no name but their place. */
const marked = (parts: readonly string[]) =>
  parts.map((part, index) => (index % 2 ? <mark key={index}>{part}</mark> : part))

/** Fields one below another, and so the lines of a stack. */
const pretty = (fields: object) =>
  JSON.stringify(fields, null, 2).replaceAll(String.raw`\n`, '\n    ')

/** Saves lines as newline-delimited JSON, like the log files. */
function download(text: string) {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/x-ndjson' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `log-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}.ndjson`
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
