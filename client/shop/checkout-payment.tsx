import type { PaymentMethod } from '#shared/orders.ts'
import { paths } from '#shared/paths.ts'
import { Alert } from '../ui/alert.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { RadioCards } from '../ui/radio-cards.tsx'
import type { CheckoutPart } from './checkout-buyer.tsx'
import styles from './checkout-page.module.css'

const payments: Readonly<Record<PaymentMethod, { label: string; detail: string }>> = {
  invoice: {
    label: 'Invoice',
    detail: 'Due in 14 days, by bank transfer, with a reference number and a virtual barcode.',
  },
  stripe: {
    label: 'Card or mobile wallet',
    detail: 'On the page of Stripe. We never see your card.',
  },
}

/** How it is paid. */
export const Payment = ({ form, entries, errors }: CheckoutPart) => (
  <RadioCards
    legend="Payment"
    name="payment"
    id="checkout-payment"
    required
    defaultValue={entries.payment ?? form.payments[0]}
    error={errors.payment}
    className={styles.payment}
    options={form.payments.map((value) => ({ value, ...payments[value] }))}
  />
)

/** What the buyer agrees to; nothing is ticked beforehand. */
export const Consents = ({ form, entries, errors }: CheckoutPart) => (
  <div className={styles.consents}>
    {form.exempt.length > 0 && (
      <Alert title="Without a right of withdrawal">
        <ul>
          {form.exempt.map(({ title, why }) => (
            <li key={title}>
              {title}: {why}
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
        label="Please deliver the digital content at once, before the period of withdrawal ends. I know that I lose my right of withdrawal for it with that."
        hint="You need not agree: the download then opens after 14 days, and until then you can withdraw."
      />
    )}
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
          What we do with your data is in the <a href={paths.privacyPolicy()}>privacy policy</a>.
        </>
      }
    />
  </div>
)
