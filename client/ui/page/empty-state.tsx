import type { ReactNode } from 'react'
import styles from './empty-state.module.css'

/** What stands where a list has nothing to show: a word, and a way on. */
export function EmptyState({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="wrap">
      <div className={styles.empty}>
        <h2>{title}</h2>
        {children}
      </div>
    </section>
  )
}
