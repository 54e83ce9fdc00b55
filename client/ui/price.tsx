import styles from './price.module.css'

type Props = {
  /** Euro cents. */
  cents: number
  /** Says that it is the lowest of several. */
  from?: boolean
  /** What it holds, such as `excl. VAT`. */
  note?: string
}

/** A price; its size is that of the text around it unless `--price` says more. */
export function Price({ cents, from = false, note }: Props) {
  const euros = (Math.abs(cents) / 100).toLocaleString('en-GB', {
    minimumFractionDigits: cents % 100 === 0 ? 0 : 2,
  })
  return (
    <span className={styles.price}>
      {from && 'from '}
      <strong>{`${cents < 0 ? '−' : ''}€${euros}`}</strong>
      {note && <small> {note}</small>}
    </span>
  )
}
