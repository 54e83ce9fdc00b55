import type { ReactNode } from 'react'
import styles from './facts.module.css'

type Props = {
  /** Names with their values; one without a value is left out. */
  facts: readonly (readonly [name: string, value: ReactNode])[]
  /** Lines below each other, or large values side by side. */
  look?: 'lines' | 'figures'
  className?: string | undefined
}

/** What is known of a thing, as names and values. */
export function Facts({ facts, look = 'lines', className = '' }: Props) {
  return (
    <dl className={`${styles[look]} ${className}`}>
      {facts.map(
        ([name, value]) =>
          value !== null &&
          value !== undefined &&
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
