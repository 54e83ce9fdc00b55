import type { ReactNode } from 'react'
import styles from './card-grid.module.css'

/**
 * A list of cards in three columns, two where it is narrower, one on a phone. Each child is an
 * `li` with one card of two parts, a picture and words, whose parts are aligned along a row. Two
 * cards share the width; one alone shows its words beside its picture.
 */
export const CardGrid = ({ children }: { children: ReactNode }) => (
  <ul className={styles.grid}>{children}</ul>
)
