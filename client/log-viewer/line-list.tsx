import { memo, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { CopyButton } from '../links/copy-button.tsx'
import type { Line, Search } from './lines.ts'
import styles from './page.module.css'

/**
 * The lines, newest last. All are in the document, so screen readers and find-in-page reach
 * them; `content-visibility` lets the browser skip those out of view, which keeps a thousand cheap.
 * @param props `follow` keeps the newest line in view; what `cut` finds is marked
 */
export function LineList({
  lines,
  cut,
  follow,
  onFollow,
}: {
  lines: readonly Line[]
  cut: Search['cut']
  follow: boolean
  onFollow: (follow: boolean) => void
}) {
  const list = useRef<HTMLOListElement>(null)
  const last = lines.at(-1)?.key
  useLayoutEffect(() => {
    if (!follow || last === undefined) return undefined
    const toEnd = () => list.current?.scrollTo(0, list.current.scrollHeight)
    toEnd()
    // Only lines that have been in view have their real height.
    const frame = requestAnimationFrame(toEnd)
    return () => cancelAnimationFrame(frame)
  }, [follow, last])
  const stopFollowing = useCallback(() => onFollow(false), [onFollow])

  return (
    <ol
      ref={list}
      className={styles.list}
      aria-label="Log lines, oldest first"
      onWheel={({ deltaY }) => deltaY < 0 && stopFollowing()}
      onTouchMove={stopFollowing}
    >
      {lines.map((line) => (
        <Row key={line.key} line={line} cut={cut} onOpen={stopFollowing} />
      ))}
    </ol>
  )
}

const clock = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  timeZone: 'Europe/Helsinki',
})

/** A line, which opens to the whole of what it says. */
const Row = memo(function Row({
  line: { at, level, message, detail, status, raw },
  cut,
  onOpen,
}: {
  line: Line
  cut: Search['cut']
  onOpen: () => void
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <li className={styles.line} data-level={level}>
      <details
        onToggle={({ currentTarget: { open } }) => {
          setOpen(open)
          // A line that is being read must not scroll away.
          if (open) onOpen()
        }}
      >
        <summary>
          <time dateTime={new Date(at).toISOString()}>{clock.format(at)}</time>
          <span>{level}</span>
          <span>{status}</span>
          <span className={styles.message}>{marked(cut(message))}</span>
          <span className={styles.detail}>{marked(cut(detail))}</span>
        </summary>
        {isOpen && (
          <div className={styles.json}>
            <pre>{pretty(raw)}</pre>
            <CopyButton text={raw} about="this line as JSON" />
          </div>
        )}
      </details>
    </li>
  )
})

/** A text whose matches are every second part. */
const marked = (parts: readonly string[]) =>
  // Parts have no name but their place.
  parts.map((part, index) => (index % 2 ? <mark key={index}>{part}</mark> : part))

function pretty(raw: string): string {
  try {
    return JSON.stringify(JSON.parse(raw), null, 2).replaceAll(String.raw`\n`, '\n    ')
  } catch {
    return raw
  }
}
