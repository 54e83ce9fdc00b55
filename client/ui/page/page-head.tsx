import type { ReactNode } from 'react'
import { resultPlace } from '../../forms/result.ts'
import styles from './page-head.module.css'

type Props = {
  /** The line above the heading, as on a timing screen. */
  label: ReactNode
  title: string
  lead?: ReactNode
  /** Whether forms lead here, to be told what became of them. */
  isResult?: boolean
  children?: ReactNode
}

/** From here on a title is set smaller, so it takes two lines rather than four. */
const longTitle = 20

/** The head of a page without its own picture: kerb, heading, a word beside it. */
export function PageHead({ label, title, lead, isResult = false, children }: Props) {
  return (
    <header className={`wrap ${styles.head}`}>
      <p className={`label kerb ${styles.label}`}>{label}</p>
      <h1 {...(isResult && resultPlace)} data-long={title.length > longTitle ? '' : undefined}>
        {title}
      </h1>
      {lead && <p className={styles.lead}>{lead}</p>}
      {children}
    </header>
  )
}
