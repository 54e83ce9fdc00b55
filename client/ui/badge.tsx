import type { ReactNode } from 'react'
import styles from './badge.module.css'

/** How far a thing is: it runs, waits, is done, is over, or went wrong. */
export type BadgeTone = 'active' | 'waiting' | 'done' | 'over' | 'bad'

/** A state in a word. */
export const Badge = ({ tone, children }: { tone: BadgeTone; children: ReactNode }) => (
  <span className={styles.badge} data-tone={tone}>
    {children}
  </span>
)
