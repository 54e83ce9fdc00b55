import styles from './logo.module.css'

/** The wordmark: three slanted kerb stones and the name. */
export function Logo({ brand }: { brand: string }) {
  return (
    <span className={styles.logo}>
      <svg aria-hidden="true" width="34" height="22" viewBox="0 0 34 22">
        <path className={styles.stones} d="M7 0h8L8 22H0zm19 0h8l-7 22h-8z" />
        <path fill="currentColor" d="M16.5 0h8l-7 22h-8z" />
      </svg>
      {brand}
    </span>
  )
}
