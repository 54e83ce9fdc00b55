import { memo, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { CopyButton } from '../links/copy-button.tsx'
import type { Line } from './line.ts'
import styles from './line-list.module.css'

type Props = {
  lines: readonly Line[]
  /** Keep the newest line in view. */
  follow: boolean
  onFollow: (follow: boolean) => void
}

/**
 * The lines, newest last. Every line is in the document, so that screen readers and the browser's own
 * search find it; the style sheet lets the browser skip the work for those out of view
 * (`content-visibility`), which is what makes a thousand of them cheap.
 */
export function LineList({ lines, follow, onFollow }: Props) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const [current, setCurrent] = useState<string | null>(null)
  const last = lines.at(-1)?.key
  const entered = lines.some(({ key }) => key === current) ? current : last
  const list = useEndInView(follow ? last : undefined)

  const toggle = useCallback(
    (key: string, row: HTMLElement) => {
      setCurrent(key)
      // Whoever reads a line does not want it to move away.
      onFollow(false)
      requestAnimationFrame(() => row.scrollIntoView({ block: 'nearest' }))
      setOpen((now) => {
        const next = new Set(now)
        if (!next.delete(key)) next.add(key)
        return next
      })
    },
    [onFollow],
  )
  const go = (event: React.KeyboardEvent) => {
    const buttons = [...(list.current?.querySelectorAll<HTMLElement>('[data-line]') ?? [])]
    const at = buttons.findIndex((each) => each === document.activeElement)
    if (at < 0) return
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    buttons[to]?.focus()
    buttons[to]?.scrollIntoView({ block: 'nearest' })
    onFollow(to === buttons.length - 1 && event.key === 'End')
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <ol
      ref={list}
      className={styles.list}
      aria-label="Log lines, oldest first"
      onKeyDown={go}
      onWheel={({ deltaY }) => deltaY < 0 && onFollow(false)}
      onTouchMove={() => onFollow(false)}
    >
      {lines.map((line) => (
        <Row
          key={line.key}
          line={line}
          open={open.has(line.key)}
          reachable={line.key === entered}
          onToggle={toggle}
        />
      ))}
    </ol>
  )
}

/** For a list whose end stays in view while there is a last line to follow. */
function useEndInView(last: string | undefined) {
  const list = useRef<HTMLOListElement>(null)
  useLayoutEffect(() => {
    if (last === undefined) return undefined
    const toEnd = () => {
      const { current: box } = list
      if (box) box.scrollTop = box.scrollHeight
    }
    toEnd()
    // The heights of lines are known only once they have been in view.
    const frame = requestAnimationFrame(toEnd)
    return () => cancelAnimationFrame(frame)
  }, [last])
  return list
}

const clock = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  timeZone: 'Europe/Helsinki',
})

const Row = memo(function Row({
  line,
  open,
  reachable,
  onToggle,
}: {
  line: Line
  open: boolean
  /** One line is in the order of the Tab key; arrows lead to the others. */
  reachable: boolean
  onToggle: (key: string, row: HTMLElement) => void
}) {
  const { key, at, level, message, detail, status, raw } = line
  return (
    <li className={styles.line} data-level={level} data-open={open || undefined}>
      <button
        type="button"
        data-line
        tabIndex={reachable ? 0 : -1}
        aria-expanded={open}
        onClick={({ currentTarget }) => onToggle(key, currentTarget.closest('li') ?? currentTarget)}
      >
        <time dateTime={new Date(at).toISOString()}>{clock.format(at)}</time>
        <span className={styles.level}>{level}</span>
        <span className={styles.status} data-class={status && Math.floor(status / 100)}>
          {status}
        </span>
        <span className={styles.message}>{message}</span>
        <span className={styles.detail}>{detail}</span>
      </button>
      {open && (
        <div className={styles.json}>
          <pre>{pretty(raw)}</pre>
          <CopyButton text={raw} about="this line as JSON" />
        </div>
      )}
    </li>
  )
})

function pretty(raw: string): string {
  try {
    const fields = JSON.parse(raw) as Record<string, unknown>
    return JSON.stringify(fields, null, 2).replaceAll(String.raw`\n`, '\n    ')
  } catch {
    return raw
  }
}
