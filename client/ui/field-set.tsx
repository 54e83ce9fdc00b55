import { useId, type ReactNode } from 'react'
import styles from './field-set.module.css'

type Props = {
  legend: ReactNode
  hint?: ReactNode
  error?: string | undefined
  children: ReactNode
  className?: string | undefined
}

/** Fields that belong together, under one name; they stand side by side where there is room. */
export function FieldSet({ legend, hint, error, children, className = '' }: Props) {
  const id = useId()
  const described = [hint ? `${id}-hint` : null, error ? `${id}-error` : null]
  return (
    <fieldset
      className={`${styles.set} ${className}`}
      aria-describedby={described.filter(Boolean).join(' ') || undefined}
    >
      <legend>{legend}</legend>
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      <div className={styles.fields}>{children}</div>
      {error && (
        <p id={`${id}-error`} className={styles.error}>
          {error}
        </p>
      )}
    </fieldset>
  )
}
