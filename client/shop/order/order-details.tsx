import { Form, useNavigation } from 'react-router'
import { bytesText } from '#shared/text/bytes.ts'
import type { Download, OrderState, OrderView } from '#shared/shop/orders.ts'
import { euros } from '#shared/money.ts'
import { paths } from '#shared/paths.ts'
import { toResult } from '#shared/forms/result.ts'
import { withWholeMeasures } from '#shared/text/measures.ts'
import { Checkbox } from '../../forms/checkbox.tsx'
import button from '../../ui/button.module.css'
import { Day } from '../../ui/text/day.tsx'
import { Facts } from '../../ui/lists/facts.tsx'
import styles from './order-page.module.css'

type Details = NonNullable<OrderView['details']>

/** What is needed to pay an invoice by bank transfer. */
export function InvoiceFacts({
  invoice,
  details: { total, paid, refunds, withdrawnAt },
  state,
}: {
  invoice: NonNullable<Details['invoice']>
  details: Details
  state: OrderState
}) {
  const { number, reference, due, open, credits, charges, iban, abroad, barcode } = invoice
  const { barcodePicture, href } = invoice
  // Who has withdrawn is asked to wait for the credit note before paying.
  const isOpen = withdrawnAt === null && (state === 'open' || (state === 'shipped' && iban !== ''))
  return (
    <section aria-labelledby="invoice-title">
      <h2 id="invoice-title" className={styles.title}>
        {isOpen ? 'How to pay' : 'Invoice'}
      </h2>
      <Facts
        facts={[
          ['Invoice', number],
          ['Amount', <strong key="amount">{euros(total)}</strong>],
          ...credits.map(
            ({ number: note, amount, lines }) =>
              [
                `Credit note ${note}`,
                <Credited key={note} amount={amount} lines={lines} />,
              ] as const,
          ),
          ...charges.map(({ name, amount }) => [name, euros(amount)] as const),
          ...[...paid, ...refunds].map(({ name, amount }) => [name, euros(amount)] as const),
          ...(isOpen && open !== total
            ? ([['Still to pay', <strong key="open">{euros(open)}</strong>]] as const)
            : []),
          ...(isOpen
            ? ([
                ['Due date', <Day key="due" iso={due} long />],
                ['IBAN', <Copied key="iban" text={grouped(iban)} />],
                ...(abroad?.bic
                  ? ([['BIC', <Copied key="bic" text={abroad.bic} />]] as const)
                  : []),
                [
                  abroad ? 'International reference' : 'Reference',
                  <Copied key="reference" text={abroad?.reference ?? reference} />,
                ],
                ...(barcode && !abroad
                  ? ([['Virtual barcode', <Copied key="barcode" text={barcode} small />]] as const)
                  : []),
              ] as const)
            : []),
        ]}
      />
      {barcodePicture && withdrawnAt === null && !abroad && (
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

const Credited = ({ amount, lines }: { amount: number; lines: readonly string[] }) => (
  <>
    {euros(-amount)}
    {lines.map((line) => (
      <small key={line} className={styles.credited}>
        {withWholeMeasures(line)}
      </small>
    ))}
  </>
)

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
              <small>{waits ?? bytesText(bytes)}</small>
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

/** Asks for files at once that wait for the end of the right of withdrawal. */
export function AtOnce({ token, error }: { token: string; error: string | null }) {
  const busy = useNavigation().state !== 'idle'
  return (
    <section aria-labelledby="at-once-title">
      <h2 id="at-once-title" className={styles.title}>
        Need your files now?
      </h2>
      <Form
        method="post"
        action={toResult(paths.checkoutSuccess(encodeURIComponent(token)))}
        className={styles.atOnce}
      >
        <input type="hidden" name="token" value={token} />
        <input type="hidden" name="intent" value="at-once" />
        <Checkbox
          name="digitalWaiver"
          id="order-digitalWaiver"
          value="true"
          error={error ?? undefined}
          label="I want immediate access to the digital content and understand that I lose my right of withdrawal once it is supplied."
          hint="We confirm this by email. Without it, the files open by themselves once that right has ended."
        />
        <button className={`${button.button} ${button.quiet}`} aria-disabled={busy || undefined}>
          Open my files
        </button>
      </Form>
    </section>
  )
}

/** What has left of an order, and where it is followed. */
export function Parcels({ parcels, isPickup }: { parcels: Details['parcels']; isPickup: boolean }) {
  if (parcels.length === 0) return null
  return (
    <section aria-labelledby="parcels-title">
      <h2 id="parcels-title" className={styles.title}>
        {isPickup ? 'Picked up' : parcels.length === 1 ? 'Your parcel' : 'Your parcels'}
      </h2>
      <ul className={styles.downloads}>
        {parcels.map(({ sentAt, carrier, tracking, href, lines }) => (
          <li key={sentAt + (tracking ?? '')}>
            <span>
              <strong>
                {withWholeMeasures(
                  lines.map(({ title, quantity }) => `${quantity} × ${title}`).join(', '),
                )}
              </strong>
              <small>
                <Day iso={sentAt} long />
                {[carrier, tracking].filter(Boolean).length > 0 &&
                  ` · ${[carrier, tracking].filter(Boolean).join(' ')}`}
              </small>
            </span>
            {href && (
              <a href={href} className={`${button.button} ${button.small} ${button.quiet}`}>
                Follow<span className="unseen"> parcel {tracking}</span>
              </a>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What was licensed, and the document once it is paid. */
export function Licences({ licences }: { licences: Details['licences'] }) {
  if (licences.length === 0) return null
  const href = licences[0]!.href
  return (
    <section aria-labelledby="licences-title">
      <h2 id="licences-title" className={styles.title}>
        {licences.length === 1 ? 'Your licence' : 'Your licences'}
      </h2>
      {/* Beside its terms, a number is broken in three on a phone. */}
      <Facts
        look="stacked"
        facts={licences.map(({ number, title, terms }) => [number, `${title}: ${terms}`])}
      />
      {href && (
        <p className={styles.way}>
          <a href={href} className={`${button.button} ${button.quiet}`}>
            {licences.length === 1 ? 'Licence as PDF' : 'Licences as PDF'}
          </a>
        </p>
      )}
    </section>
  )
}

/** Where nothing comes any more: there is no contract left to withdraw from. */
const over: readonly OrderState[] = ['cancelled', 'refunded', 'expired']

/** What happens next, where it goes, and how to withdraw. */
export function Next({
  details,
  state,
  number,
}: {
  details: Details
  state: OrderState
  number: string
}) {
  const isOver = over.includes(state)
  const { payment, downloads, parcels, isSent, isLeft, pickup, onAccount, canWithdraw } = details
  const { address, placedAt, name, company, termsVersion, withdrawnAt } = details
  const steps = [
    state === 'pending'
      ? 'We’ll email your confirmation and receipt once the payment clears.'
      : `Keep your confirmation email: it has the terms${canWithdraw ? ' and the withdrawal form' : ''}.`,
    ...(payment === 'invoice' && state === 'open' && withdrawnAt === null
      ? [
          onAccount
            ? 'Pay by the due date using only the reference number. We don’t wait for it to deliver.'
            : 'Pay by bank transfer using only the reference number. We deliver once your payment has arrived.',
        ]
      : []),
    ...(isSent && isLeft
      ? [`We’ll email you when ${parcels.length > 0 ? 'the rest' : 'your order'} ships.`]
      : []),
    ...(pickup && isLeft
      ? [
          pickup.isReady
            ? `Your order is ready to pick up: ${pickup.address}.`
            : `We’ll email you when your order is ready to pick up: ${pickup.address}.`,
        ]
      : []),
    ...(downloads.some(({ href }) => href === null)
      ? [
          'Your files open here as described above. The link in your email brings you back to this page.',
        ]
      : []),
  ]
  return (
    <>
      {!isOver && state !== 'attention' && (
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
          ['By', company === null ? name : `${company}, ${name}`],
          [isSent ? 'Ship to' : 'Address', address?.join(', ')],
          [
            'Terms of service',
            <a key="terms" href={paths.termsPdf(termsVersion)}>
              Version {termsVersion}
            </a>,
          ],
        ]}
      />
      {!isOver && details.delivery.length > 0 && (
        <section aria-labelledby="delivery-title">
          <h2 id="delivery-title" className={styles.title}>
            Delivery
          </h2>
          <Facts
            look="stacked"
            facts={details.delivery.map(({ title, words }) => [title, words])}
          />
        </section>
      )}
      {!isOver && canWithdraw && (
        <p className={styles.note}>
          Changed your mind?{' '}
          <a href={`${paths.withdraw()}?order=${encodeURIComponent(number)}`}>
            Withdraw from contract here
          </a>
        </p>
      )}
    </>
  )
}
