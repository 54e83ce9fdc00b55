import type { CartDiscount } from '#shared/shop.ts'
import { euros } from '#shared/money.ts'
import { Alert } from '../ui/alert.tsx'
import button from '../ui/button.module.css'
import { Field } from '../forms/field.tsx'
import styles from './discount-code.module.css'

type Props = {
  id: string
  /** What the cart has; undefined for no code. */
  discount: CartDiscount | undefined
  /** What was entered, and why it isn't valid. */
  typed: string | undefined
  error: string | undefined
}

/** Where the discount code of a cart is entered, or taken off; part of a form that sends `intent`. */
export function DiscountCode({ id, discount, typed, error }: Props) {
  if (!discount) {
    return (
      <div className={styles.entry}>
        <Field
          id={id}
          name="discount"
          label="Discount code"
          optional
          defaultValue={typed}
          error={error}
          maxLength={100}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
        />
        <button
          name="intent"
          value="discount"
          formNoValidate
          className={`${button.button} ${button.small} ${button.quiet}`}
        >
          Apply code
        </button>
      </div>
    )
  }
  const { code, amount, problem } = discount
  const wrong = error ?? problem
  return (
    <div className={styles.entered}>
      <p>
        Code <strong>{code}</strong>
        {wrong === null && `: ${euros(amount)} off`}
      </p>
      <button id={id} name="intent" value="discount-off" formNoValidate className={styles.remove}>
        Take off<span className="unseen"> code {code}</span>
      </button>
      {wrong !== null && (
        <Alert tone="bad" role="alert" className={styles.wrong}>
          {wrong}
        </Alert>
      )}
    </div>
  )
}
