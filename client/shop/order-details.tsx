import type { Download, OrderState, OrderView } from '#shared/orders.ts'
import { euros } from '#shared/money.ts'
import { paths } from '#shared/paths.ts'
import button from '../ui/button.module.css'
import { Day } from '../ui/day.tsx'
import { Facts } from '../ui/facts.tsx'
import styles from './order-page.module.css'

type Details = NonNullable<OrderView['details']>

/** What is needed to pay an invoice by bank transfer. */
export function InvoiceFacts({
  invoice,
  details: { total },
  state,
}: {
  invoice: NonNullable<Details['invoice']>
  details: Details
  state: OrderState
}) {
  const { number, reference, due, iban, barcode, barcodePicture, href } = invoice
  const isOpen = state === 'open' || (state === 'shipped' && iban !== '')
  return (
    <section aria-labelledby="invoice-title">
      <h2 id="invoice-title" className={styles.title}>
        {isOpen ? 'How to pay' : 'Invoice'}
      </h2>
      <Facts
        facts={[
          ['Invoice', number],
          ['Amount', <strong key="amount">{euros(total)}</strong>],
          ...(isOpen
            ? ([
                ['Due date', <Day key="due" iso={due} long />],
                ['IBAN', <Copied key="iban" text={grouped(iban)} />],
                ['Reference', <Copied key="reference" text={reference} />],
                ['Virtual barcode', <Copied key="barcode" text={barcode} small />],
              ] as const)
            : []),
        ]}
      />
      {barcodePicture && (
        <div className={styles.bars} dangerouslySetInnerHTML={{ __html: barcodePicture }} />
      )}
      <p className={styles.way}>
        <a href={href} className={`${button.button} ${isOpen ? '' : button.quiet}`}>
          Invoice as PDF
        </a>
      </p>
    </section>
  )
}

/** A number as it is copied into a bank's form. */
const Copied = ({ text, small = false }: { text: string; small?: boolean }) => (
  <span className={small ? styles.barcode : styles.number}>{text}</span>
)

const grouped = (iban: string) =>
  iban
    .replaceAll(/\s/g, '')
    .replaceAll(/(.{4})/g, '$1 ')
    .trim()

/** The files of an order, or why they still wait. */
export function Downloads({ downloads }: { downloads: readonly Download[] }) {
  if (downloads.length === 0) return null
  return (
    <section aria-labelledby="downloads-title">
      <h2 id="downloads-title" className={styles.title}>
        Your downloads
      </h2>
      <ul className={styles.downloads}>
        {downloads.map(({ name, bytes, href, waits }) => (
          <li key={name}>
            <span>
              <strong>{name}</strong>
              <small>{waits ?? sizeOf(bytes)}</small>
            </span>
            {href && (
              <a href={href} download className={`${button.button} ${button.small}`}>
                Download<span className="unseen"> {name}</span>
              </a>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

const sizeOf = (bytes: number) =>
  bytes < 1_000_000
    ? `${Math.max(1, Math.round(bytes / 1000))} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`

/** Where nothing goes on, or people have to decide how. */
const over: readonly OrderState[] = ['cancelled', 'refunded', 'expired', 'attention']

/** What happens next, where it goes, and how to withdraw. */
export function Next({
  details: { payment, downloads, isSent, address, placedAt, name },
  state,
  number,
}: {
  details: Details
  state: OrderState
  number: string
}) {
  const steps = [
    state === 'pending'
      ? 'As soon as your payment is confirmed, you get the confirmation and the receipt by mail.'
      : 'You have the confirmation in your mail, with the terms and the form of withdrawal. Keep it.',
    ...(payment === 'invoice' && state === 'open'
      ? ['Pay the invoice by its due date, with the reference number alone.']
      : []),
    ...(isSent && state !== 'shipped' ? ['We pack it and tell you by mail when it leaves.'] : []),
    ...(downloads.some(({ href }) => href === null)
      ? ['Your files open here as said above; the link in the mail leads to this page.']
      : []),
  ]
  return (
    <>
      {!over.includes(state) && (
        <section aria-labelledby="next-title">
          <h2 id="next-title" className={styles.title}>
            What happens next
          </h2>
          <ol className={styles.next}>
            {steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </section>
      )}
      <Facts
        facts={[
          ['Ordered', <Day key="day" iso={placedAt} long />],
          ['By', name],
          [isSent ? 'Goes to' : 'Address', address?.join(', ')],
        ]}
      />
      <p className={styles.note}>
        Changed your mind?{' '}
        <a href={`${paths.withdraw()}?order=${encodeURIComponent(number)}`}>
          Withdraw from contract here
        </a>
      </p>
    </>
  )
}
