import type { Cart } from '#shared/shop/shop.ts'
import { euros, vatText } from '#shared/money.ts'
import styles from './totals.module.css'

type Props = {
  sums: Pick<Cart, 'shipping' | 'total' | 'vat' | 'discount'> & {
    giftCard?: { number: string; amount: number }
  }
  /** Whether something is sent, so delivery is its own line. */
  isSent: boolean
  /** Whether the buyer owes the VAT. */
  reverseCharge?: boolean
  /** Whether it is ordered: then the order says what is left to pay of it by now. */
  isPlaced?: boolean
}

/** What a cart or an order comes to: discount, delivery, VAT of each rate, the total, and who pays it. */
export function Totals({
  sums: { shipping, total, vat, discount, giftCard },
  isSent,
  reverseCharge = false,
  isPlaced = false,
}: Props) {
  // What a company picks up in Finland has VAT, beside a licence that has none.
  const charged = reverseCharge ? vat.filter(({ rate }) => rate > 0) : vat
  // What is sent to Åland or out of the union still has its import VAT to come.
  const hasVat = charged.some(({ rate }) => rate > 0)
  return (
    <dl className={styles.totals}>
      {discount && discount.amount > 0 && (
        <div>
          <dt className={styles.code}>Discount ({discount.code})</dt>
          <dd>{euros(-discount.amount)}</dd>
        </div>
      )}
      {isSent && (
        <div>
          <dt>Delivery</dt>
          <dd>{shipping === 0 ? 'Free' : euros(shipping)}</dd>
        </div>
      )}
      <div className={styles.total}>
        <dt>{hasVat ? 'Total, incl. VAT' : 'Total, without VAT'}</dt>
        <dd>{euros(total)}</dd>
      </div>
      {reverseCharge && (
        <div className={styles.vat}>
          <dt>{charged.length === 0 ? 'VAT' : 'VAT on the rest'}</dt>
          <dd>Reverse charge: the buyer accounts for it</dd>
        </div>
      )}
      {charged.map(({ rate, net, vat: amount }) => (
        <div key={rate} className={styles.vat}>
          <dt>
            VAT {vatText(rate)} on {euros(net)}
          </dt>
          <dd>{euros(amount)}</dd>
        </div>
      ))}
      {giftCard && giftCard.amount > 0 && (
        <>
          <div>
            <dt className={styles.code}>Gift card ({giftCard.number})</dt>
            <dd>{euros(-giftCard.amount)}</dd>
          </div>
          {!isPlaced && (
            <div className={styles.total}>
              <dt>Left to pay</dt>
              <dd>{euros(total - giftCard.amount)}</dd>
            </div>
          )}
        </>
      )}
    </dl>
  )
}
