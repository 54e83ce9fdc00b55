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
            {euros(was)}
          </s>{' '}
        </>
      )}
      <strong>
        {was !== undefined && <span className="unseen">Now: </span>}
        {euros(cents)}
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

/** An amount as people read it: €890, €12.50, −€5. */
function euros(cents: number): string {
  const amount = (Math.abs(cents) / 100).toLocaleString('en-GB', {
    minimumFractionDigits: cents % 100 === 0 ? 0 : 2,
  })
  return `${cents < 0 ? '−' : ''}€${amount}`
}
