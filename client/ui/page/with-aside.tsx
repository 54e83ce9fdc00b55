import type { ReactNode } from 'react'
import styles from './with-aside.module.css'

type Props = {
  /** Names the card to those who jump to it. */
  label: string
  /** What the card holds. */
  aside: ReactNode
  /** Whether there is nothing in the card to tab to, so that it's scrolled by the focus of its own. */
  isText?: boolean
  /** What of the part comes after the card where it is narrow, as it does for screen readers. */
  rest?: ReactNode
  children: ReactNode
}

/** A long part of a page with a card beside it that stays in view; below it where it is narrow. */
export function WithAside({ label, aside, isText, rest, children }: Props) {
  return (
    <div className={`wrap ${styles.body}`}>
      <div className={styles.main}>{children}</div>
      <aside
        className={styles.card}
        aria-label={label}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={isText ? 0 : undefined}
      >
        {aside}
      </aside>
      {rest && <div className={styles.main}>{rest}</div>}
    </div>
  )
}
