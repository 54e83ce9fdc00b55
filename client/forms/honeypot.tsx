import { useEffect, useRef } from 'react'
import type { Entries } from '#shared/forms/form.ts'
import styles from './honeypot.module.css'

/**
 * A field that people never see: only robots fill it in (docs/contract.md, Contact form). Browsers and
 * extensions may, too, and no one sees what to do about it: the next attempt begins with an empty one.
 * @param entries of a form that came back
 */
export function Honeypot({ label, entries }: { label: string; entries?: Entries }) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (entries?.website) field.current!.value = ''
  }, [entries])
  return (
    <div className={styles.honeypot} aria-hidden="true">
      <label>
        {label} <input ref={field} name="website" tabIndex={-1} autoComplete="off" />
      </label>
    </div>
  )
}
