import { logLevels } from '#shared/log-levels.ts'
import { CopyButton } from '../links/copy-button.tsx'
import type { Line } from './line.ts'
import styles from './toolbar.module.css'

/** What somebody wants to see. */
export type Wanted = {
  level: string
  text: string
  isPattern: boolean
  range: string
  /** Of the range `between`, as the fields have them: local time, no zone. */
  from: string
  to: string
}

type Props = {
  wanted: Wanted
  onWant: (wanted: Wanted) => void
  /** Why the expression finds nothing. */
  problem: string | null
  paused: boolean
  onPause: () => void
  follow: boolean
  onFollow: () => void
  filtered: readonly Line[]
  name: string
}

const ranges = {
  all: 'Any time',
  '5m': 'Last 5 minutes',
  '15m': 'Last 15 minutes',
  '1h': 'Last hour',
  between: 'Between...',
}

/** Everything that steers the list. */
export function Toolbar(props: Props) {
  const { wanted, onWant, problem, paused, onPause, follow, onFollow, filtered, name } = props
  const want: Want = (part) => onWant({ ...wanted, ...part })
  return (
    <div className={styles.bar} role="group" aria-label="Log filters">
      <LevelFilter wanted={wanted} want={want} />
      <TextFilter wanted={wanted} want={want} problem={problem} />
      <TimeFilter wanted={wanted} want={want} />
      <div className={styles.actions}>
        <button type="button" aria-pressed={paused} aria-keyshortcuts="p" onClick={onPause}>
          {paused ? 'Resume' : 'Pause'}
        </button>
        <button type="button" aria-pressed={follow} aria-keyshortcuts="f" onClick={onFollow}>
          Follow
        </button>
        <CopyButton text={textOf(filtered)} about="the lines shown" />
        <button
          type="button"
          disabled={filtered.length === 0}
          onClick={() => download(filtered, name)}
        >
          Download
        </button>
      </div>
      <p id="log-problem" role="alert" className={styles.problem}>
        {problem}
      </p>
    </div>
  )
}

/** Changes a part of what is wanted. */
type Want = (part: Partial<Wanted>) => void

type FilterProps = { wanted: Wanted; want: Want }

const LevelFilter = ({ wanted: { level }, want }: FilterProps) => (
  <label className={styles.field}>
    <span>Level from</span>
    <select name="level" value={level} onChange={({ target }) => want({ level: target.value })}>
      {logLevels.map((each) => (
        <option key={each}>{each}</option>
      ))}
    </select>
  </label>
)

function TextFilter({
  wanted: { text, isPattern },
  want,
  problem,
}: FilterProps & Pick<Props, 'problem'>) {
  return (
    <div className={`${styles.field} ${styles.text}`}>
      <label htmlFor="log-text">{isPattern ? 'Regular expression' : 'Contains'}</label>
      <div className={styles.find}>
        <input
          id="log-text"
          name="text"
          type="search"
          value={text}
          maxLength={200}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          placeholder={isPattern ? 'status":5\\d\\d' : 'Any text'}
          aria-invalid={problem ? true : undefined}
          aria-describedby="log-problem"
          onChange={({ target }) => want({ text: target.value })}
        />
        <button
          type="button"
          aria-pressed={isPattern}
          aria-label="Regular expression"
          title="Regular expression"
          onClick={() => want({ isPattern: !isPattern })}
        >
          .*
        </button>
      </div>
    </div>
  )
}

function TimeFilter({ wanted: { range, from, to }, want }: FilterProps) {
  return (
    <>
      <label className={styles.field}>
        <span>Time</span>
        <select name="range" value={range} onChange={({ target }) => want({ range: target.value })}>
          {Object.entries(ranges).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </label>
      {range === 'between' && (
        <>
          <label className={styles.field}>
            <span>From</span>
            <input
              type="datetime-local"
              step="1"
              value={from}
              onChange={({ target }) => want({ from: target.value })}
            />
          </label>
          <label className={styles.field}>
            <span>To</span>
            <input
              type="datetime-local"
              step="1"
              value={to}
              onChange={({ target }) => want({ to: target.value })}
            />
          </label>
        </>
      )}
    </>
  )
}

const textOf = (lines: readonly Line[]) => lines.map(({ raw }) => `${raw}\n`).join('')

/** Saves the lines as newline-delimited JSON, the way the log files have them. */
function download(lines: readonly Line[], name: string) {
  const url = URL.createObjectURL(new Blob([textOf(lines)], { type: 'application/x-ndjson' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${name}-log-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}.ndjson`
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
