import { useId, type ComponentProps, type ReactNode } from 'react'
import styles from './checkbox.module.css'

type Props = {
  label: ReactNode
  name: string
  hint?: ReactNode
  error?: string | undefined
  className?: string | undefined
} & Omit<ComponentProps<'input'>, 'name' | 'type' | 'className' | 'children'>

/** A box to tick, with its label beside it, and what is wrong below. */
export function Checkbox({ label, hint, error, className = '', ...rest }: Props) {
  const made = useId()
  const id = rest.id ?? made
  const described = [hint ? `${id}-hint` : null, error ? `${id}-error` : null]
  return (
    <div className={`${styles.checkbox} ${className}`}>
      <label>
        <input
          {...rest}
          id={id}
          type="checkbox"
          aria-invalid={error ? true : undefined}
          aria-describedby={described.filter(Boolean).join(' ') || undefined}
        />
        <span>{label}</span>
      </label>
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className={styles.error}>
          {error}
        </p>
      )}
    </div>
  )
}
