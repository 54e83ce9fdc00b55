import type { Cart } from '#shared/shop/shop.ts'
import { euros } from '#shared/money.ts'
import { withDotsBehind, withWholeMeasures } from '#shared/text/measures.ts'
import { lineId } from '../cart/cart-address.ts'
import styles from './order-summary.module.css'
import { Totals } from '../totals.tsx'

type Props = {
  cart: Pick<Cart, 'lines' | 'shipping' | 'total' | 'vat' | 'discount'> & {
    giftCard?: { number: string; amount: number }
  }
  reverseCharge?: boolean
  isPlaced?: boolean
  /** The title of the card. */
  label?: string
}

/** What is ordered, and what it comes to; a change of the total is announced. */
export function OrderSummary({
  cart,
  reverseCharge = false,
  isPlaced = false,
  label = 'Your order',
}: Props) {
  return (
    <>
      <p className="label">{label}</p>
      <ul className={styles.lines}>
        {cart.lines.map((line) => (
          <li key={lineId(line)}>
            <span>
              {withWholeMeasures(line.title)}
              {line.licence && <small>{withDotsBehind(line.licence)}</small>}
              <small>
                {line.quantity} × {euros(line.unit)}
              </small>
            </span>
            <span className={styles.sum}>{euros(line.total)}</span>
          </li>
        ))}
      </ul>
      <div role="status">
        <Totals
          sums={cart}
          isSent={cart.shipping > 0}
          reverseCharge={reverseCharge}
          isPlaced={isPlaced}
        />
      </div>
    </>
  )
}
