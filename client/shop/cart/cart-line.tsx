import { useEffect, useRef } from 'react'
import { Form, useNavigation } from 'react-router'
import { euros } from '#shared/money.ts'
import { paths } from '#shared/paths.ts'
import { withDotsBehind, withWholeMeasures } from '#shared/text/measures.ts'
import { Alert } from '../../ui/alert.tsx'
import button from '../../ui/button.module.css'
import { Picture } from '../../ui/pictures/picture.tsx'
import { QuantityInput } from '../../forms/quantity-input.tsx'
import type { ShownLine } from './cart-data.ts'
import styles from './cart-page.module.css'

/**
 * Milliseconds to wait after a change of quantity before sending it, since a number may have two
 * digits.
 */
const settled = 500

/**
 * A line of the cart with a form for its quantity, which counts at once; without scripts it has a
 * button. A licence is bought once, so it has no quantity to choose.
 */
export function CartLineRow({ line, wrong }: { line: ShownLine; wrong: string | undefined }) {
  const { handle, variant, title, quantity, unit, total, picture, licence, delivery, max } = line
  const { lack } = line
  const busy = useNavigation().state !== 'idle'
  const { form, change } = useSettledChange(busy)
  return (
    <article className={styles.line}>
      <a href={paths.product(handle)} className={styles.picture} tabIndex={-1} aria-hidden="true">
        {picture && <Picture picture={picture} alt="" sizes="7rem" />}
      </a>
      <div className={styles.name}>
        <h2>
          <a href={`${paths.product(handle)}?variant=${encodeURIComponent(variant)}`}>
            {withWholeMeasures(title)}
          </a>
        </h2>
        {licence && <p>{withDotsBehind(licence)}</p>}
        {delivery && <p>{delivery}</p>}
        <p>{euros(unit)} each</p>
      </div>
      <p className={styles.sum}>
        <span className="unseen">Subtotal: </span>
        {euros(total)}
      </p>
      <Form
        ref={form}
        method="post"
        action={paths.cart()}
        replace
        preventScrollReset
        className={styles.change}
      >
        <input type="hidden" name="handle" value={handle} />
        <input type="hidden" name="variant" value={variant} />
        {(licence === undefined || quantity > 1) && (
          <>
            <QuantityInput
              label={`Quantity of ${title}`}
              isLabelShown={false}
              name="quantity"
              defaultValue={quantity}
              min={1}
              max={Math.max(max, quantity)}
              onChange={change}
            />
            <button
              className={`${button.button} ${button.small} ${button.quiet} ${styles.update}`}
              aria-disabled={busy || undefined}
            >
              Update
            </button>
          </>
        )}
        <button name="remove" value="1" formNoValidate className={styles.remove}>
          Remove<span className="unseen"> {title}</span>
        </button>
      </Form>
      {lack && !wrong && (
        <Alert tone="bad" className={styles.wrong}>
          {lack}
        </Alert>
      )}
      {wrong && (
        <Alert tone="bad" role="alert" className={styles.wrong}>
          {wrong}
        </Alert>
      )}
    </article>
  )
}

/**
 * Submits a form once typing has paused and no other submission is in flight, so that two lines changed
 * in quick succession both count.
 */
function useSettledChange(busy: boolean) {
  const form = useRef<HTMLFormElement>(null)
  const timer = useRef(0)
  const isWaiting = useRef(false)
  const send = useRef(() => {})
  useEffect(() => {
    send.current = () => {
      isWaiting.current = busy
      if (!busy) form.current?.requestSubmit()
    }
    if (!busy && isWaiting.current) send.current()
  }, [busy])
  useEffect(() => () => clearTimeout(timer.current), [])
  const change = () => {
    clearTimeout(timer.current)
    timer.current = window.setTimeout(() => send.current(), settled)
  }
  return { form, change }
}
