import { verificationQuestion, formProofLimits } from '#shared/form-proof.ts'
import { useId } from 'react'
import styles from './contact-form.module.css'

const operand = () => 1 + Math.floor(Math.random() * formProofLimits.operandMost)

/** The question of a browser without scripts, which the server checks. React leaves it alone in all others. */
export function WithoutScripts() {
  const id = useId()
  if (!import.meta.env.SSR) return <noscript />
  const [x, y] = [operand(), operand()]
  return (
    <noscript>
      <div className={styles.field}>
        <label htmlFor={id}>{verificationQuestion(x, y)}</label>
        <input id={id} name="captcha" inputMode="numeric" autoComplete="off" required />
        <input type="hidden" name="x" value={x} />
        <input type="hidden" name="y" value={y} />
      </div>
    </noscript>
  )
}
