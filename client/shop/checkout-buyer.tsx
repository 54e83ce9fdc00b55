import type { CheckoutForm } from '#shared/orders.ts'
import button from '../ui/button.module.css'
import { Field, SelectField } from '../ui/field.tsx'
import { FieldSet } from '../ui/field-set.tsx'
import styles from './checkout-page.module.css'
import type { Entries } from './entries.ts'

/** What a part of the checkout form is made from. */
export type CheckoutPart = {
  form: CheckoutForm
  entries: Entries
  errors: Readonly<Record<string, string>>
}

/** What a text field has in common with the others. */
const fieldOf = ({ entries, errors }: Omit<CheckoutPart, 'form'>, name: string) => ({
  id: `checkout-${name}`,
  name,
  defaultValue: entries[name],
  error: errors[name],
})

/** Who orders, where it goes, and for which company. */
export function Buyer(props: CheckoutPart & { onQuote: () => void }) {
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
