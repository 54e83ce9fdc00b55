import type { CheckoutForm, PaymentMethod } from '#shared/orders.ts'
import { paths } from '#shared/paths.ts'
import { Alert } from '../ui/alert.tsx'
import button from '../ui/button.module.css'
import { Checkbox } from '../ui/checkbox.tsx'
import { Field, SelectField } from '../ui/field.tsx'
import { FieldSet } from '../ui/field-set.tsx'
import { RadioCards } from '../ui/radio-cards.tsx'
import styles from './checkout-page.module.css'
import type { Entries } from './entries.ts'

type Props = {
  form: CheckoutForm
  entries: Entries
  errors: Readonly<Record<string, string>>
}

/** What a text field has in common with the others. */
const fieldOf = ({ entries, errors }: Omit<Props, 'form'>, name: string) => ({
  id: `checkout-${name}`,
  name,
  defaultValue: entries[name],
  error: errors[name],
})

/** Who orders, where it goes, and for which company. */
export function Buyer(props: Props & { onQuote: () => void }) {
  const { form, entries, errors, onQuote } = props
  const isCompany = Boolean(entries.company || entries.vatId || errors.company || errors.vatId)
  return (
    <>
      <FieldSet legend="Contact" className={styles.pair}>
        <Field
          label="Email"
          type="email"
          autoComplete="email"
          required
          {...fieldOf(props, 'email')}
        />
        <Field
          label="Name"
          autoComplete="name"
          required
          maxLength={100}
          {...fieldOf(props, 'name')}
        />
      </FieldSet>
      <FieldSet
        legend={form.needs.address ? 'Delivery address' : 'Where you live'}
        hint={
          form.needs.address
            ? undefined
            : 'The country decides about VAT. An address is only needed for things that are sent.'
        }
      >
        {form.needs.address && (
          <>
            <Field
              label="Street and number"
              autoComplete="street-address"
              required
              maxLength={200}
              className={styles.whole}
              {...fieldOf(props, 'street')}
            />
            <Field
              label="Postal code"
              autoComplete="postal-code"
              required
              maxLength={20}
              {...fieldOf(props, 'postcode')}
            />
            <Field
              label="Town"
              autoComplete="address-level2"
              required
              maxLength={100}
              {...fieldOf(props, 'city')}
            />
          </>
        )}
        <SelectField
          label="Country"
          autoComplete="country"
          required
          {...fieldOf(props, 'country')}
          defaultValue={entries.country ?? 'FI'}
          options={form.countries.map(({ code, name }) => ({ value: code, label: name }))}
          onChange={onQuote}
        />
        <noscript className={styles.whole}>
          <Recount />
        </noscript>
      </FieldSet>
      <details className={styles.company} open={isCompany || undefined}>
        <summary>Buying for a company?</summary>
        <FieldSet
          legend="Company"
          className={styles.pair}
          hint="With a valid VAT id of another EU country the invoice is without VAT (reverse charge)."
        >
          <Field
            label="Company name"
            autoComplete="organization"
            optional
            maxLength={120}
            {...fieldOf(props, 'company')}
          />
          <Field
            label="VAT id"
            optional
            maxLength={30}
            placeholder="SE556677889901"
            {...fieldOf(props, 'vatId')}
          />
          <div className={styles.whole}>
            <Recount />
          </div>
        </FieldSet>
      </details>
    </>
  )
}

/** Prices the order again for the country and the VAT id. */
const Recount = () => (
  <button
    name="intent"
    value="quote"
    formNoValidate
    className={`${button.button} ${button.small} ${button.quiet}`}
  >
    Update the total
  </button>
)

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
export const Payment = ({ form, entries, errors }: Props) => (
  <RadioCards
    legend="Payment"
    name="payment"
    id="checkout-payment"
    required
    defaultValue={entries.payment ?? form.payments[0]}
    error={errors.payment}
    options={form.payments.map((value) => ({ value, ...payments[value] }))}
  />
)

/** What the buyer agrees to; nothing is ticked beforehand. */
export const Consents = ({ form, entries, errors }: Props) => (
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
