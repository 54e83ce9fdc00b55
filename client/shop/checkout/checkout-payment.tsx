import type { PaymentMethod } from '#shared/shop/orders.ts'
import { orderLimits } from '#shared/shop/order-limits.ts'
import { paths } from '#shared/paths.ts'
import { withWholeMeasures } from '#shared/text/measures.ts'
import { Alert } from '../../ui/alert.tsx'
import { Checkbox } from '../../forms/checkbox.tsx'
import { RadioCards } from '../../forms/radio-cards.tsx'
import { GuaranteeNotice } from '../guarantee-notice.tsx'
import type { CheckoutPart } from './checkout-buyer.tsx'
import styles from './checkout-page.module.css'

const payments: Readonly<Record<PaymentMethod, { label: string; detail: string }>> = {
  invoice: {
    label: 'Bank transfer',
    detail: `Pay before we deliver, within ${orderLimits.transferDueDays} days. We email you an invoice with a reference number and a virtual barcode.`,
  },
  stripe: {
    label: 'Card or mobile wallet',
    detail: 'Paid securely through Stripe. We never see your card details.',
  },
}

/** The invoice of an approved company. */
const onAccount = (days: number) => ({
  label: `Invoice, ${days} days`,
  detail: 'For your company: we deliver first, and you pay by bank transfer.',
})

/** The payment methods; none is preselected, and those without credit come first. */
export const Payment = ({ form, entries, errors }: CheckoutPart) => (
  <RadioCards
    legend="Payment"
    name="payment"
    id="checkout-payment"
    required
    defaultValue={entries.payment}
    error={errors.payment}
    className={styles.payment}
    options={form.payments.map((value) => ({
      value,
      ...(value === 'invoice' && form.creditDays !== null
        ? onAccount(form.creditDays)
        : payments[value]),
    }))}
  />
)

/** Replaces the payment methods when nothing is left to pay. */
export const PaidByCard = ({ number }: { number: string }) => (
  <>
    <input type="hidden" name="payment" value="invoice" />
    <Alert tone="good">Gift card {number} pays all of it, so there’s nothing else to pay.</Alert>
  </>
)

/** What the buyer agrees to; nothing is pre-ticked. */
export const Consents = ({ form, entries, errors }: CheckoutPart) => (
  <div className={styles.consents}>
    {form.exempt.length > 0 && (
      <Alert title="Without a right of withdrawal">
        <ul>
          {form.exempt.map(({ title, why }) => (
            <li key={title}>
              {withWholeMeasures(title)}: {why}
            </li>
          ))}
        </ul>
      </Alert>
    )}
    {form.needs.waiver && (
      <Checkbox
        name="digitalWaiver"
        id="checkout-digitalWaiver"
        value="true"
        defaultChecked={Boolean(entries.digitalWaiver)}
        error={errors.digitalWaiver}
        label="I want immediate access to the digital content and understand that I lose my right of withdrawal once it is supplied."
        hint="This is optional. Without it, the download opens after 14 days, and until then you can withdraw. A company that gives its VAT ID needn’t tick it: its files open once they’re paid."
      />
    )}
    {form.needs.early && (
      <Checkbox
        name="beginEarly"
        id="checkout-beginEarly"
        value="true"
        defaultChecked={Boolean(entries.beginEarly)}
        error={errors.beginEarly}
        label="Please start the service before the 14-day withdrawal period ends."
        hint="If you withdraw after we’ve begun, you pay for the work done by then; once it’s fully done, you can’t withdraw. If you don’t tick this, we begin after the 14 days. For a company that gives its VAT ID there’s no such period."
      />
    )}
    {form.needs.address && <GuaranteeNotice />}
    <Checkbox
      name="terms"
      id="checkout-terms"
      value="true"
      required
      defaultChecked={Boolean(entries.terms)}
      error={errors.terms}
      label={
        <>
          I have read the <a href={paths.termsOfService()}>terms of service</a> with the{' '}
          <a href={`${paths.termsOfService()}#withdrawal`}>instructions on withdrawal</a>, and
          accept them.
        </>
      }
      hint={
        <>
          How we use your data is set out in the <a href={paths.privacyPolicy()}>privacy policy</a>.
        </>
      }
    />
  </div>
)
