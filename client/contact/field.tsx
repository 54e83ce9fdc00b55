import { useId, type ComponentProps, type ReactNode } from 'react'
import styles from './contact-form.module.css'

type Props = {
  label: ReactNode
  name: string
  error: string | undefined
  className?: string
} & Omit<ComponentProps<'input'>, 'name' | 'id' | 'className'>

/** A label, its control and what is wrong with it. A `type` of textarea makes it one. */
export function Field({ label, name, error, className = '', type = 'text', ...rest }: Props) {
  const id = useId()
  const attributes = {
    ...rest,
    id,
    name,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': error ? `${id}-error` : undefined,
  }
  return (
    <div className={`${styles.field} ${className}`}>
      <label htmlFor={id}>{label}</label>
      {type === 'textarea' ? (
        <textarea {...(attributes as ComponentProps<'textarea'>)} rows={6} />
      ) : (
        <input {...attributes} type={type} />
      )}
      {error && (
        <p id={`${id}-error`} className={styles.error}>
          {error}
        </p>
      )}
    </div>
  )
}
