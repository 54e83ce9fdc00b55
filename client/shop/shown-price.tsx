import type { Price as PriceOf } from '#shared/shop/shop.ts'
import { euros, netOf, vatText } from '#shared/money.ts'
import { Price } from '../ui/text/price.tsx'
import styles from './shown-price.module.css'

type Props = {
  price: PriceOf
  /** Without VAT, for companies. */
  isNet: boolean
  from?: boolean
  /** Says the rate, and that delivery comes on top. */
  long?: boolean
  isSent?: boolean
}

/**
 * A price with what it holds. A reduction is beside the lowest price of the 30 days before it
 * (Directive 98/6/EC, art. 6a).
 */
export function ShownPrice({ price, isNet, from = false, long = false, isSent = false }: Props) {
  const { gross, net, rate, before } = price
  const was = before === null ? null : isNet ? netOf(before, rate) : before
  const vat = `${isNet ? 'excl.' : 'incl.'} VAT${long ? ` ${vatText(rate)}` : ''}`
  return (
    <span className={styles.price} data-reduced={was === null ? undefined : ''}>
      <Price cents={isNet ? net : gross} from={from} note={vat} {...(was !== null && { was })} />
      {long && isSent && <small className={styles.line}>+ shipping</small>}
      {was !== null && (
        <small className={styles.line}>Lowest price in the last 30 days: {euros(was)}</small>
      )}
    </span>
  )
}
