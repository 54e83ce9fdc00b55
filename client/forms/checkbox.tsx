import { useId, type ComponentProps, type ReactNode } from 'react'
import { describedBy, FieldError, Hint, type FieldNotes } from './field.tsx'
import styles from './checkbox.module.css'

type Props = {
  label: ReactNode
  name: string
  className?: string | undefined
} & FieldNotes &
  Omit<ComponentProps<'input'>, 'name' | 'type' | 'className' | 'children'>

/** A box to tick, with its label beside it, and what is wrong below. */
export function Checkbox({ label, hint, error, className = '', ...rest }: Props) {
  const made = useId()
  const id = rest.id ?? made
  return (
    <div className={`${styles.checkbox} ${className}`}>
      <label>
        <input
          {...rest}
          id={id}
          type="checkbox"
          className={styles.box}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy(id, { hint, error })}
        />
        <span>{label}</span>
      </label>
      <Hint id={id} className={styles.note}>
        {hint}
      </Hint>
      <FieldError id={id} className={styles.note}>
        {error}
      </FieldError>
    </div>
  )
}
