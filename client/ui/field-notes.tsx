import type { ReactNode } from 'react'
import styles from './field-notes.module.css'

/** What stands around a control or a group of them. */
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
