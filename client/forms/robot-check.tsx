import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { Entries } from '#shared/forms/form.ts'
import { verificationQuestion } from '#shared/forms/form-proof.ts'
import type { Sum } from './sum.ts'
import { Field } from './field.tsx'
import { Honeypot } from './honeypot.tsx'
import styles from './robot-check.module.css'

/**
 * What tells people from robots in a form: the sum, whose answer is called `captcha`, and a field
 * that people never see. The sum stays the same for as long as the form is open.
 */
export function RobotCheck({
  sum: fresh,
  entries,
  ...field
}: {
  id: string
  sum: Sum | null
  entries: Entries
  error: string | undefined
  hint?: ReactNode
  optional?: boolean
}) {
  const cameAt = useRef<HTMLInputElement>(null)
  const [sum] = useState(() => enteredSum(entries) ?? fresh)
  useEffect(() => {
    if (cameAt.current) cameAt.current.value = String(Date.now())
  }, [])
  return (
    <div className={styles.check}>
      {sum && (
        <>
          <Field
            label={verificationQuestion(sum.x, sum.y)}
            name="captcha"
            inputMode="numeric"
            autoComplete="off"
            required={!field.optional}
            maxLength={10}
            defaultValue={entries.captcha}
            {...field}
          />
          <input type="hidden" name="x" value={sum.x} />
          <input type="hidden" name="y" value={sum.y} />
          <input type="hidden" name="proof" value={sum.proof} />
          <input ref={cameAt} type="hidden" name="cameAt" defaultValue="" />
        </>
      )}
      <Honeypot label="Leave this empty" entries={entries} />
    </div>
  )
}

/** The sum that a form was sent with, so it comes back with the answer that was given. */
const enteredSum = ({ x, y, proof }: Entries): Sum | null =>
  proof ? { x: Number(x), y: Number(y), proof } : null
