import { useState } from 'react'
import { Form, useNavigation } from 'react-router'
import { invoiceName } from '#shared/bookings/invoice-parts.ts'
import { countInWords, totalInWords } from '#shared/bookings/price.ts'
import type { BookingView } from '#shared/bookings/bookings.ts'
import { dateRange, longDate } from '#shared/dates/date-format.ts'
import { euros } from '#shared/money.ts'
import { paths } from '#shared/paths.ts'
import { toResult } from '#shared/forms/result.ts'
import { Badge } from '../ui/badge.tsx'
import button from '../ui/button.module.css'
import fold from '../ui/fold.module.css'
import { Field, SelectField, fieldsOf } from '../forms/field.tsx'
import styles from './signed-page.module.css'
import { instantInWords, lastMinuteOf } from './state.tsx'
import type { VisitorAnswer } from './visitor-data.ts'

/** What a booking costs, and on which rules it was agreed. */
export function Price({
  booking,
  page,
}: {
  booking: Pick<
    BookingView,
    'lines' | 'travelQuoted' | 'agreement' | 'offer' | 'state' | 'unit' | 'documents'
  >
  /** The address of the page that shows it. */
  page: string
}) {
  const { lines, travelQuoted, agreement, offer, state } = booking
  if (lines.length === 0) return null
  const title =
    state === 'confirmed'
      ? 'What we’ve agreed'
      : agreement
        ? 'What we had agreed'
        : offer
          ? 'Our offer'
          : 'Price'
  return (
    <section aria-labelledby="price-title">
      <h2 id="price-title" className={styles.title}>
        {title}
      </h2>
      <ul className={styles.lines}>
        {lines.map((line, at) => (
          // Two lines may be alike.
          <li key={at}>
            <span>
              {line.text}
              {countInWords(line) && <small>{countInWords(line)}</small>}
            </span>
            <span>{euros(line.net)}</span>
          </li>
        ))}
        {travelQuoted && (
          <li>
            <span>Travel</span>
            <span>quoted</span>
          </li>
        )}
        <li className={styles.total}>
          <span>Total</span>
          <span>{totalInWords(booking)}</span>
        </li>
      </ul>
      {agreement && (
        <div className={styles.text}>
          <p>
            Agreed on {instantInWords(agreement.agreedAt)}, on the{' '}
            <a href={paths.termsPdf(agreement.termsVersion)}>
              terms of service, version {agreement.termsVersion}
            </a>
            .
          </p>
          {agreement.deposit !== null && state === 'confirmed' && !isInvoiced(booking) && (
            <p>A deposit of {agreement.deposit}&nbsp;% is invoiced at confirmation.</p>
          )}
          <p>{agreement.cancellation.join(' ')}</p>
          <p>
            <a href={paths.bookingAgreement(page)} className={styles.agreement}>
              Our agreement as PDF
            </a>
          </p>
        </div>
      )}
    </section>
  )
}

/** Whether an invoice of it is open or paid, which says more than that a deposit is going to be invoiced. */
const isInvoiced = ({ documents }: Pick<BookingView, 'documents'>): boolean =>
  documents.some(({ state }) => state === 'open' || state === 'paid')

/** An offer with its two answers. */
export function Offer({ token, booking }: { token: string; booking: BookingView }) {
  const busy = useNavigation().state !== 'idle' || undefined
  const { offer, acts } = booking
  if (!offer || !acts.accept) return null
  return (
    <section aria-labelledby="offer-title">
      <h2 id="offer-title" className={styles.title}>
        Your answer
      </h2>
      <p className={styles.text}>
        {offer.asked &&
          `You’d asked for ${dateRange(offer.asked.from, offer.asked.to)}; we offer ${dateRange(booking.from, booking.to)}. `}
        Accepting makes the booking binding, at the price above and on our{' '}
        <a href={paths.termsPdf(offer.termsVersion)}>
          terms of service, version {offer.termsVersion}
        </a>
        . The offer is open until {lastMinuteOf(offer.validUntil)}.
      </p>
      <p className={styles.text}>
        {offer.deposit !== null &&
          `A deposit of ${offer.deposit}\u00a0% is invoiced at confirmation. `}
        {offer.cancellation.join(' ')}
      </p>
      <div className={styles.buttons}>
        <Form method="post" action={toResult(paths.bookingAccept(token))}>
          <input type="hidden" name="offer" value={offer.id} />
          <button className={button.button} aria-disabled={busy}>
            Accept this offer
          </button>
        </Form>
        <Form method="post" action={toResult(paths.bookingRefuse(token))}>
          <input type="hidden" name="offer" value={offer.id} />
          <button className={`${button.button} ${button.quiet}`} aria-disabled={busy}>
            Decline
          </button>
        </Form>
      </div>
    </section>
  )
}

/** What a visitor does with their own invoices; staff see them without. */
type Paying = { token: string; busy: boolean }

const tones = { open: 'waiting', paid: 'active', cancelled: 'over', refunded: 'over' } as const

/** The invoices of a booking, with what is left to pay. @param paying lets their customer pay by card */
export function Documents({
  documents,
  paying,
}: Pick<BookingView, 'documents'> & { paying?: Paying }) {
  if (documents.length === 0) return null
  return (
    <section aria-labelledby="documents-title">
      <h2 id="documents-title" className={styles.title}>
        Invoices
      </h2>
      <ul className={styles.lines}>
        {documents.map(
          ({
            order,
            part,
            isTravel,
            invoice,
            total,
            credited,
            state,
            dueOn,
            open,
            charges,
            paidBy,
            url,
          }) => (
            <li key={order}>
              <span>
                <a href={url}>
                  {invoiceName({ part, isTravel })}
                  {invoice !== null && ` ${invoice}`}
                </a>
                {state === 'open' && dueOn && <small>due {longDate(dueOn)}</small>}
                {credited > 0 && credited < total && <small>{euros(credited)} credited</small>}
                {state === 'open' && open !== total && (
                  <small>
                    {euros(open)} left to pay
                    {charges > 0 && `, ${euros(charges)} of it for paying late`}
                  </small>
                )}
                {state === 'paid' && paidBy && <small>by {paidBy}</small>}
              </span>
              <span className={styles.settled}>
                {euros(total)} <Badge tone={tones[state]}>{state}</Badge>
              </span>
            </li>
          ),
        )}
      </ul>
      {paying && <PayByCard documents={documents} paying={paying} />}
    </section>
  )
}

/** A button for each invoice that can be paid by card; a bank transfer does as well. */
function PayByCard({
  documents,
  paying: { token, busy },
}: Pick<BookingView, 'documents'> & { paying: Paying }) {
  const payable = documents.filter(({ isPayableByCard }) => isPayableByCard)
  if (payable.length === 0) return null
  return (
    <>
      <div className={styles.buttons}>
        {payable.map(({ order, part, isTravel, open }) => (
          <Form key={order} method="post" action={toResult(paths.bookingPay(token))}>
            <input type="hidden" name="order" value={order} />
            <button className={button.button} aria-disabled={busy || undefined}>
              {`Pay ${isTravel ? 'the travel costs' : payNames[part]} by card, ${euros(open)}`}
            </button>
          </Form>
        ))}
      </div>
      <p className={styles.note}>
        Or by bank transfer: you’ll find the account and the reference number on the invoice.
      </p>
    </>
  )
}

const payNames = {
  whole: 'the invoice',
  deposit: 'the deposit',
  lines: 'this part',
  rest: 'the rest',
  fee: 'the fee',
} as const

/** Who to invoice; open where the invoice still needs something. */
export function Billing({
  token,
  booking,
  answer,
}: {
  token: string
  booking: BookingView
  answer: VisitorAnswer | undefined
}) {
  const busy = useNavigation().state !== 'idle' || undefined
  const { acts, missing, countries, address } = booking
  const [chosen, setChosen] = useState<string | null>(null)
  if (!acts.billing) return null
  const known = {
    company: booking.company,
    country: booking.country ?? 'FI',
    vatId: booking.vatId,
    ...address,
  }
  const fields = fieldsOf('billing', answer)
  const control = (name: keyof typeof known) => fields(name, known[name] ?? '')
  const isWanted = missing.length > 0
  const country = chosen ?? answer?.entries.country ?? known.country
  // Without scripts it comes with the answer that asks for it.
  const isAsked = countries.some(({ code, hasStates }) => hasStates && code === country)
  return (
    <details
      className={`${fold.fold} ${styles.billing}`}
      open={isWanted || Object.keys(answer?.errors ?? {}).length > 0}
    >
      <summary>
        <h2 className={styles.title}>Billing details</h2>
      </summary>
      {isWanted && (
        <p className={styles.text}>
          We still need your address before we can send an invoice
          {booking.agreement?.deposit !== null &&
            booking.documents.length === 0 &&
            ` for the deposit of ${booking.agreement?.deposit}\u00a0%`}
          .
        </p>
      )}
      <Form
        method="post"
        action={toResult(paths.bookingBilling(token))}
        className={styles.fields}
        key={JSON.stringify(known)}
      >
        <Field label="Company" {...control('company')} optional autoComplete="organization" />
        <SelectField
          label="Country"
          {...control('country')}
          onChange={({ target }) => setChosen(target.value)}
          autoComplete="country"
          options={countries.map(({ code, name }) => ({ value: code, label: name }))}
        />
        <Field
          label="VAT ID"
          {...control('vatId')}
          optional
          hint="For companies, such as FI12345671"
          autoComplete="off"
        />
        <Field label="Street address" {...control('street')} autoComplete="street-address" />
        <Field label="Postal code" {...control('postcode')} autoComplete="postal-code" />
        <Field label="Town" {...control('city')} autoComplete="address-level2" />
        {isAsked && (
          <Field label="State or province" {...control('region')} autoComplete="address-level1" />
        )}
        <button className={button.button} aria-disabled={busy}>
          Save
        </button>
      </Form>
    </details>
  )
}
