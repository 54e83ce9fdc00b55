import type { ReactNode } from 'react'
import styles from './facts.module.css'

type Props = {
  /** Names with their values; one without a value is left out. */
  facts: readonly (readonly [name: string, value: ReactNode])[]
  /** Lines below each other, lines with long names above their values, or large values side by side. */
  look?: 'lines' | 'stacked' | 'figures'
  className?: string | undefined
}

const looks = {
  lines: styles.lines,
  stacked: `${styles.lines} ${styles.stacked}`,
  figures: styles.figures,
}

/** What is known of a thing, as names and values. */
export function Facts({ facts, look = 'lines', className = '' }: Props) {
  return (
    <dl className={`${looks[look]} ${className}`}>
      {facts.map(
        ([name, value]) =>
          value !== null &&
          value !== undefined &&
          value !== false &&
          value !== '' && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
