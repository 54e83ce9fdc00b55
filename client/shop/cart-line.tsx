import { Form, useNavigation } from 'react-router'
import { euros } from '#shared/money.ts'
import { paths } from '#shared/paths.ts'
import { Alert } from '../ui/alert.tsx'
import button from '../ui/button.module.css'
import { Picture } from '../ui/picture.tsx'
import { QuantityInput } from '../ui/quantity-input.tsx'
import type { ShownLine } from './cart-loader.ts'
import styles from './cart-page.module.css'

/** A line of the cart with a form for its quantity. */
export function CartLineRow({ line, wrong }: { line: ShownLine; wrong: string | undefined }) {
  const { handle, variant, title, quantity, unit, total, picture, most } = line
  const busy = useNavigation().state !== 'idle'
  return (
    <article className={styles.line}>
      <a href={paths.product(handle)} className={styles.picture} tabIndex={-1} aria-hidden="true">
        {picture && <Picture picture={picture} alt="" sizes="7rem" />}
      </a>
      <div className={styles.name}>
        <h2>
          <a href={`${paths.product(handle)}?variant=${encodeURIComponent(variant)}`}>{title}</a>
        </h2>
        <p>{euros(unit)} each</p>
      </div>
      <p className={styles.sum}>
        <span className="unseen">Together: </span>
        {euros(total)}
      </p>
      <Form method="post" action={paths.cart()} className={styles.change}>
        <input type="hidden" name="handle" value={handle} />
        <input type="hidden" name="variant" value={variant} />
        <QuantityInput
          label={`Quantity of ${title}`}
          isLabelShown={false}
          name="quantity"
          defaultValue={quantity}
          most={Math.max(most, quantity)}
        />
        <button
          className={`${button.button} ${button.small} ${button.quiet}`}
          aria-disabled={busy || undefined}
        >
          Update
        </button>
        <button name="remove" value="1" formNoValidate className={styles.remove}>
          Remove<span className="unseen"> {title}</span>
        </button>
      </Form>
      {wrong && (
        <Alert tone="bad" role="alert" className={styles.wrong}>
          {wrong}
        </Alert>
      )}
    </article>
  )
}
