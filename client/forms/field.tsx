import { useId, type ComponentProps, type ReactNode } from 'react'
import type { FormAnswer } from './form-action.ts'
import styles from './field.module.css'

/** What is around a control or a group of them. */
export type FieldNotes = {
  /** Helps to fill it in; stays while something is wrong. */
  hint?: ReactNode
  /** What is wrong with what was entered. */
  error?: string | undefined
}

/** The `aria-describedby` of what has these notes under an id. @param also further ids */
export const describedBy = (
  id: string,
  { hint, error }: FieldNotes,
  also?: string,
): string | undefined =>
  [also, hint ? `${id}-hint` : null, error ? `${id}-error` : null].filter(Boolean).join(' ') ||
  undefined

type NoteProps = { id: string; className?: string | undefined; children: ReactNode }

/** The hint of what has this id; nothing where there is none. */
export const Hint = ({ id, className = '', children }: NoteProps) =>
  children ? (
    <p id={`${id}-hint`} className={`${styles.hint} ${className}`}>
      {children}
    </p>
  ) : null

/** What is wrong with what has this id; nothing where all is well. */
export const FieldError = ({ id, className = '', children }: NoteProps) =>
  children ? (
    <p id={`${id}-error`} className={`${styles.error} ${className}`}>
      {children}
    </p>
  ) : null

/**
 * What the fields of a form have in common, by their names: the id that an error summary links to, what
 * was entered before, and what is wrong with it.
 * @param form begins the ids
 * @returns for a field; `known` is what it shows before anything was entered
 */
export const fieldsOf =
  (form: string, answer: Pick<FormAnswer, 'entries' | 'errors'> | undefined) =>
  (name: string, known?: string) => ({
    id: `${form}-${name}`,
    name,
    defaultValue: answer?.entries[name] ?? known,
    error: answer?.errors[name],
  })

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

/**
 * A label and a choice from a list, like {@link Field}. One that must be made begins with the empty
 * option that HTML asks for.
 */
export function SelectField({ options, ...props }: SelectProps) {
  const { frame, control } = useFrame(props)
  return (
    <Framed {...frame}>
      <select {...control}>
        {control.required && <option value="">Please choose</option>}
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
