import { useId, type ComponentProps, type ReactNode } from 'react'
import { describedBy, FieldError, Hint, type FieldNotes } from './field-notes.tsx'
import styles from './field.module.css'

/** What every control of a form has around it. */
type Frame = FieldNotes & {
  label: ReactNode
  name: string
  /** Says that it may stay empty. */
  optional?: boolean
  className?: string | undefined
}

type Control<Tag extends 'input' | 'select'> = Omit<ComponentProps<Tag>, 'name' | 'className'>

/** A label, its control, a hint, and what is wrong. A `type` of textarea makes it one. */
export function Field({
  type = 'text',
  rows = 6,
  ...props
}: Frame & Control<'input'> & { rows?: number }) {
  const { frame, control } = useFrame(props)
  return (
    <Framed {...frame}>
      {type === 'textarea' ? (
        <textarea {...(control as ComponentProps<'textarea'>)} rows={rows} />
      ) : (
        <input {...control} type={type} />
      )}
    </Framed>
  )
}

type SelectProps = Frame &
  Control<'select'> & {
    options: readonly { value: string; label: string; disabled?: boolean }[]
  }

/** A label and a choice from a list, like {@link Field}. */
export function SelectField({ options, ...props }: SelectProps) {
  const { frame, control } = useFrame(props)
  return (
    <Framed {...frame}>
      <select {...control}>
        {options.map(({ value, label, disabled }) => (
          <option key={value} value={value} disabled={disabled}>
            {label}
          </option>
        ))}
      </select>
    </Framed>
  )
}

type FramedProps = Omit<Frame, 'name'> & { id: string }

/** Takes apart what belongs to the frame and what to the control, which is told of hint and error. */
function useFrame<
  Rest extends Frame & Pick<ComponentProps<'input'>, 'id' | 'aria-describedby' | 'aria-invalid'>,
>(props: Rest) {
  const { label, hint, error, optional, className, ...rest } = props
  const made = useId()
  const id = rest.id ?? made
  const frame: FramedProps = { id, label, hint, error, optional: optional ?? false, className }
  const control = {
    ...rest,
    id,
    'aria-invalid': error ? true : rest['aria-invalid'],
    'aria-describedby': describedBy(id, { hint, error }, rest['aria-describedby']),
  }
  return { frame, control }
}

function Framed({
  id,
  label,
  hint,
  error,
  optional,
  className = '',
  children,
}: FramedProps & { children: ReactNode }) {
  return (
    <div className={`${styles.field} ${className}`}>
      <label htmlFor={id}>
        {label}
        {optional && <span className={styles.optional}> (optional)</span>}
      </label>
      {children}
      <Hint id={id}>{hint}</Hint>
      <FieldError id={id}>{error}</FieldError>
    </div>
  )
}
