import { useId, type ReactNode } from 'react'
import { describedBy, FieldError, Hint, type FieldNotes } from './field.tsx'
import styles from './field-set.module.css'

type Props = FieldNotes & {
  legend: ReactNode
  children: ReactNode
  className?: string | undefined
}

/** Fields that belong together, under one name; they stand side by side where there is room. */
export function FieldSet({ legend, hint, error, children, className = '' }: Props) {
  const id = useId()
  return (
    <fieldset
      className={`${styles.set} ${className}`}
      aria-describedby={describedBy(id, { hint, error })}
    >
      <legend>{legend}</legend>
      <Hint id={id} className={styles.hint}>
        {hint}
      </Hint>
      <div className={styles.fields}>{children}</div>
      <FieldError id={id} className={styles.error}>
        {error}
      </FieldError>
    </fieldset>
  )
}
