import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { fitting, type Line } from './line.ts'
import { LineList } from './line-list.tsx'
import { Toolbar, type Wanted } from './toolbar.tsx'
import { useMatches } from './use-matches.ts'
import styles from './viewer.module.css'

type Props = {
  /** Part of the name of a download. */
  name: string
  lines: readonly Line[]
  /** How the source is, in words. */
  state: string
  live: boolean
  /** What stands where there is nothing to show at all. */
  empty: string
}

const everything: Wanted = {
  level: 'trace',
  text: '',
  isPattern: false,
  range: 'all',
  from: '',
  to: '',
}

/** Shows lines as they come, filtered; pausing holds them back without losing them. */
export function Viewer({ name, lines, state, live, empty }: Props) {
  const [wanted, setWanted] = useState(everything)
  const [held, setHeld] = useState<readonly Line[] | null>(null)
  const [follow, setFollow] = useState(true)
  const tool = useRef<HTMLDivElement>(null)
  const shown = held ?? lines
  const { filtered, problem } = useFiltered(shown, wanted)
  const isFiltered = filtered.length !== shown.length
  const waiting = held ? countSince(lines, held) : 0

  return (
    // Keys work anywhere in the tool; every one of them has a button, too.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      ref={tool}
      className={`wrap ${styles.viewer}`}
      onKeyDown={(event) => {
        if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement)
          return
        if (event.ctrlKey || event.metaKey || event.altKey) return
        if (event.key === '/')
          tool.current?.querySelector<HTMLInputElement>('[name="text"]')?.focus()
        else if (event.key === 'p') setHeld(held ? null : lines)
        else if (event.key === 'f') setFollow(!follow)
        else return
        event.preventDefault()
      }}
    >
      <Toolbar
        wanted={wanted}
        onWant={setWanted}
        problem={problem}
        paused={held !== null}
        onPause={() => setHeld(held ? null : lines)}
        follow={follow}
        onFollow={() => setFollow(!follow)}
        filtered={filtered}
        name={name}
      />
      <p className={styles.state} data-live={(live && !held) || undefined}>
        <span role="status">
          {held ? `Paused, ${waiting} new ${waiting === 1 ? 'line' : 'lines'} waiting` : state}
        </span>
        <span>
          {isFiltered ? `${filtered.length} of ${shown.length} lines` : `${shown.length} lines`}
        </span>
      </p>
      {filtered.length > 0 ? (
        <LineList lines={filtered} follow={follow && !held} onFollow={setFollow} />
      ) : (
        <div className={styles.empty}>
          <p>{shown.length > 0 ? 'No line fits the filter.' : empty}</p>
          {shown.length > 0 && (
            <button type="button" onClick={() => setWanted(everything)}>
              Show all lines
            </button>
          )}
        </div>
      )}
    </div>
  )
}

/** The lines that are wanted, and why an expression finds none. */
function useFiltered(lines: readonly Line[], wanted: Wanted) {
  const { from, to } = useRange(wanted)
  const { level, isPattern } = wanted
  const typed = useDeferredValue(wanted.text)
  const matches = useMatches(isPattern ? typed : null, lines)
  const filtered = useMemo(() => {
    const found = fitting(lines, { level, text: isPattern ? '' : typed, from, to })
    return matches ? found.filter(({ key }) => matches.keys.has(key)) : found
  }, [lines, level, isPattern, typed, from, to, matches])
  return { filtered, problem: matches?.problem ?? null }
}

/** How many lines came after those that are held. */
function countSince(lines: readonly Line[], held: readonly Line[]): number {
  const last = held.at(-1)?.key
  const at = lines.findLastIndex(({ key }) => key === last)
  return at < 0 ? lines.length : lines.length - 1 - at
}

const minutes: Readonly<Record<string, number>> = { '5m': 5, '15m': 15, '1h': 60 }

/** The wanted range as moments; one that ends now moves on with the clock. */
function useRange({ range, from, to }: Wanted) {
  const length = minutes[range]
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (length === undefined) return undefined
    const tick = () => setNow(Date.now())
    const first = setTimeout(tick)
    const timer = setInterval(tick, 5000)
    return () => {
      clearTimeout(first)
      clearInterval(timer)
    }
  }, [length])
  if (length !== undefined) return { from: now - length * 60_000, to: null }
  if (range === 'all') return { from: null, to: null }
  const moment = (local: string) =>
    local && !Number.isNaN(Date.parse(local)) ? Date.parse(local) : null
  return { from: moment(from), to: moment(to) }
}
