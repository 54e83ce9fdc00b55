import type { ReactNode } from 'react'
import styles from './form-page.module.css'

/** A part of the form under its number. */
export function Step({
  number,
  title,
  children,
}: {
  number: number
  title: string
  children: ReactNode
}) {
  const id = `step-${number}`
  return (
    <section aria-labelledby={id} className={styles.step}>
      <h2 id={id} className={styles.title}>
        <span aria-hidden="true">0{number}</span>
        {title}
      </h2>
      {children}
    </section>
  )
}
