import { useEffect, useId, useRef } from 'react'
import styles from './error-summary.module.css'

type Props = {
  title?: string
  /** What is wrong, each with the id of the control that it is about. */
  errors: readonly { id: string; message: string }[]
}

/**
 * Stands above a form that was refused: says how much is wrong and leads to each of it. It takes
 * the focus when it appears and when it says something else; on a page that the server sends for a
 * form without scripts it comes first. Without errors it is left out.
 */
export function ErrorSummary({ title = 'Please check these fields', errors }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const id = useId()
  const said = errors.map(({ message }) => message).join('\n')
  useEffect(() => {
    if (said) box.current?.focus()
  }, [said])
  if (errors.length === 0) return null
  return (
    <div ref={box} role="alert" tabIndex={-1} aria-labelledby={id} className={styles.summary}>
      <h2 id={id}>{title}</h2>
      <ul>
        {errors.map((each) => (
          <li key={each.id}>
            <a href={`#${each.id}`}>{each.message}</a>
          </li>
        ))}
      </ul>
    </div>
  )
}
