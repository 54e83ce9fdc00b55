import { useId, type ReactNode } from 'react'
import { describedBy, FieldError, Hint, type FieldNotes } from './field.tsx'
import styles from './radio-cards.module.css'

type Props = FieldNotes & {
  legend: ReactNode
  name: string
  options: readonly {
    value: string
    label: ReactNode
    /** A line below the label. */
    detail?: ReactNode
    /** Stands at the end of the line, such as a price. */
    aside?: ReactNode
    disabled?: boolean
  }[]
  defaultValue?: string | undefined
  required?: boolean
  /** Id of the first option, for an error summary to lead to. */
  id?: string
  onChange?: (value: string) => void
  className?: string | undefined
}

/** One of a few choices that need more than a word each. */
export function RadioCards(props: Props) {
  const { legend, name, options, defaultValue, required, hint, error, onChange } = props
  const made = useId()
  const id = props.id ?? made
  return (
    <fieldset
      className={`${styles.set} ${props.className ?? ''}`}
      aria-describedby={describedBy(id, { hint, error })}
    >
      <legend>{legend}</legend>
      <Hint id={id} className={styles.hint}>
        {hint}
      </Hint>
      <div className={styles.cards}>
        {options.map(({ value, label, detail, aside, disabled }, index) => (
          <label key={value} className={styles.card}>
            <input
              type="radio"
              id={index === 0 ? id : `${id}-${index}`}
              name={name}
              value={value}
              defaultChecked={value === defaultValue}
              required={required}
              disabled={disabled}
              onChange={onChange && (() => onChange(value))}
            />
            <span className={styles.label}>{label}</span>
            {aside && <span className={styles.aside}>{aside}</span>}
            {detail && <span className={styles.detail}>{detail}</span>}
          </label>
        ))}
      </div>
      <FieldError id={id} className={styles.error}>
        {error}
      </FieldError>
    </fieldset>
  )
}
