import type { ReactNode } from 'react'
import { frameTables } from './rich-tables.ts'
import styles from './rich-text.module.css'

/**
 * Rich content, typeset for reading. The server has made the HTML safe
 * (docs/contract.md, Content service).
 */
export const RichText = ({ html }: { html: string }) => (
  <div className={styles.text} dangerouslySetInnerHTML={{ __html: frameTables(html) }} />
)

/** The same setting for text of our own. */
export const Typeset = ({ children }: { children: ReactNode }) => (
  <div className={styles.text}>{children}</div>
)
