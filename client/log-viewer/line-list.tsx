import { memo, useState } from 'react'
import { CopyButton } from '../links/copy-button.tsx'
import buttons from '../ui/button.module.css'
import type { Line, Search } from './lines.ts'
import styles from './page.module.css'

type Reading = {
  /** Cuts a text where it is to be marked. */
  cut: Search['cut']
  /** A line is open, and must not scroll away. */
  onOpen: (isOpen: true) => void
}

/**
 * The lines, newest last. All are in the document, so screen readers and find-in-page reach
 * them; `content-visibility` lets the browser skip those out of view, which keeps a thousand cheap.
 */
export const LineList = ({ lines, ...reading }: { lines: readonly Line[] } & Reading) => (
  <div className={styles.list}>
    <ol aria-label="Log lines, oldest first">
      {lines.map((line) => (
        <Row key={line.key} line={line} {...reading} />
      ))}
    </ol>
  </div>
)

/** A line, which opens to the whole of what it says. */
const Row = memo(function Row({ line, cut, onOpen }: { line: Line } & Reading) {
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
          <span>{line.level}</span>
          <span>{line.status}</span>
          <span className={styles.message}>{marked(cut(line.message))}</span>
          <span className={styles.detail}>{marked(cut(line.detail))}</span>
        </summary>
        {isOpen && (
          <div className={styles.json}>
            <pre>{pretty(line.raw)}</pre>
            <CopyButton
              text={line.raw}
              about="this line as JSON"
              className={`${buttons.button} ${buttons.quiet} ${buttons.small}`}
            />
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
