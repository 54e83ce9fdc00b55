import type { SaleUnit } from '#shared/bookings/sale-units.ts'
import { euros } from '#shared/money.ts'
import type { ServicePrice as StartingPrice } from '#shared/services.ts'
import styles from './price.module.css'

type Props = {
  /** Euro cents. */
  cents: number
  /** Says that it is the lowest of several. */
  from?: boolean
  /** What it holds, such as `excl. VAT`. */
  note?: string
  /** The price before a reduction, in euro cents. */
  was?: number
}

/** A price; its size is that of the text around it unless `--price` says more. */
export function Price({ cents, from = false, note, was }: Props) {
  return (
    <span className={styles.price}>
      {from && 'from '}
      {was !== undefined && (
        <>
          <s>
            <span className="unseen">Before: </span>
            {short(was)}
          </s>{' '}
        </>
      )}
      <strong>
        {was !== undefined && <span className="unseen">Now: </span>}
        {short(cents)}
      </strong>
      {note && (
        <>
          {' '}
          <small>{note}</small>
        </>
      )}
    </span>
  )
}

/**
 * The price of a service: without VAT first, as it is agreed, with it, and by what it is sold. One that
 * is sold by month or project starts there.
 */
export const ServicePrice = ({
  price: { net, gross },
  unit,
}: {
  price: StartingPrice
  unit: SaleUnit
}) => (
  <Price
    cents={net}
    from={unit === 'month' || unit === 'project'}
    note={`+ VAT (${short(gross)}\u00a0incl.\u00a0VAT)${unit === 'project' ? '' : ` per\u00a0${unit}`}`}
  />
)

/** An amount in few signs: €890, €12.50, −€5. */
const short = (cents: number): string => euros(cents).replace(/\.00$/, '')
