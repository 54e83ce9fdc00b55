import { useEffect, useId, useRef } from 'react'
import type { FieldErrors } from '#shared/forms/form.ts'
import { Alert } from '../ui/alert.tsx'
import type { FormAnswer } from './form-action.ts'
import { resultPlace } from './result.ts'
import styles from './error-summary.module.css'

type Props = {
  title?: string
  /** Begins the ids of the form's controls: `booking` of `booking-email`. */
  form: string
  /** What is wrong, listed in this order. */
  errors: FieldErrors
}

/**
 * The list above a form that was refused, with a link to each wrong field. It takes the focus when it
 * appears and when it says something else; on a page that the server sends for a form without scripts
 * the address leads to it. Without errors it is left out.
 */
export function ErrorSummary({ title = 'Please check these fields', form, errors }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const id = useId()
  const problems = Object.entries(errors)
  const said = problems.map(([, message]) => message).join('\n')
  useEffect(() => {
    if (said) box.current?.focus()
  }, [said])
  if (problems.length === 0) return null
  return (
    <div ref={box} {...resultPlace} role="alert" aria-labelledby={id} className={styles.summary}>
      <h2 id={id}>{title}</h2>
      <ul>
        {problems.map(([field, message]) => (
          <li key={field}>
            <a href={`#${form}-${field}`}>{message}</a>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Why a form came back: its wrong fields, or the sentence where none is to blame. */
export const FormProblems = ({
  answer,
  ...summary
}: Omit<Props, 'errors'> & { answer: FormAnswer | undefined }) =>
  answer?.message ? (
    <Alert {...resultPlace} tone="bad" role="alert">
      {answer.message}
    </Alert>
  ) : (
    <ErrorSummary {...summary} errors={answer?.errors ?? {}} />
  )
