import { useSyncExternalStore } from 'react'
import { maxStaffNameLength } from '#shared/desk/things.ts'
import { Field, type fieldsOf } from '../../forms/field.tsx'
import { storeName, storedName } from './typed-storage.ts'

let given: string | undefined
const listeners = new Set<() => void>()

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function nameGiven(): string {
  given ??= storedName()
  return given
}

function giveName(name: string) {
  given = name
  storeName(name)
  for (const listener of listeners) listener()
}

type YourNameProps = {
  fieldFor: ReturnType<typeof fieldsOf>
  /** Of the field. */
  name: string
}

/**
 * Asks who acts, on a page that a link in an email opened. The name given in one form is in the others,
 * and in those of the next pages in this tab.
 */
export function YourName({ fieldFor, name }: YourNameProps) {
  const known = useSyncExternalStore(subscribe, nameGiven, () => '')
  return (
    <Field
      label="Your name"
      {...fieldFor(name, known)}
      required
      autoComplete="name"
      maxLength={maxStaffNameLength}
      onChange={(event) => giveName(event.target.value)}
    />
  )
}
