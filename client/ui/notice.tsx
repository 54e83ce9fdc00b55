import type { ReactNode } from 'react'
import styles from './listing.module.css'

/** What stands where a list has nothing to show: a word, and a way on. */
export function Notice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="wrap">
      <div className={styles.notice}>
        <h2>{title}</h2>
        {children}
      </div>
    </section>
  )
}
