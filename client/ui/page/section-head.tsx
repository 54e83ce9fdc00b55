import type { ReactNode } from 'react'
import styles from './section-head.module.css'

type Props = {
  /** The position of the section on the page, as a starting number. */
  number: string
  label: string
  title: string
  id: string
  children?: ReactNode
}

/** The head of a section: a line as on a timing screen, the heading, and a word beside it. */
export function SectionHead({ number, label, title, id, children }: Props) {
  return (
    <div className={styles.head}>
      <p className={`label ${styles.line}`}>
        <span>{number}</span> {label}
      </p>
      <h2 id={id}>{title}</h2>
      {children && <div className={styles.aside}>{children}</div>}
    </div>
  )
}
