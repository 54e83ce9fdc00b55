import type { ReactNode } from 'react'
import styles from './section-head.module.css'

type Props = {
  label: string
  title: string
  id: string
  children?: ReactNode
}

/** The head of a section: a line as on a timing screen, the heading, and a word beside it. */
export function SectionHead({ label, title, id, children }: Props) {
  return (
    <div className={styles.head}>
      <p className={`label ${styles.line}`}>{label}</p>
      <h2 id={id}>{title}</h2>
      {children && <div className={styles.aside}>{children}</div>}
    </div>
  )
}
