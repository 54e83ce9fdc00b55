import type { ComponentProps } from 'react'
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

type TextField = Omit<ComponentProps<typeof Field>, 'id' | 'defaultValue' | 'error'>

const contact: readonly TextField[] = [
  { name: 'email', label: 'Email', type: 'email', autoComplete: 'email', required: true },
  { name: 'name', label: 'Name', autoComplete: 'name', required: true, maxLength: 100 },
]

const address: readonly TextField[] = [
  {
    name: 'street',
    label: 'Street and number',
    autoComplete: 'street-address',
    required: true,
    maxLength: 200,
    className: styles.whole,
  },
  {
    name: 'postcode',
    label: 'Postal code',
    autoComplete: 'postal-code',
    required: true,
    maxLength: 20,
  },
  { name: 'city', label: 'Town', autoComplete: 'address-level2', required: true, maxLength: 100 },
]

const company: readonly TextField[] = [
  {
    name: 'company',
    label: 'Company name',
    autoComplete: 'organization',
    optional: true,
    maxLength: 120,
  },
  { name: 'vatId', label: 'VAT id', optional: true, maxLength: 30, placeholder: 'SE556677889901' },
]

/** Where nothing is sent: what the law asks for on the invoice of a company. */
const companyAddress: readonly TextField[] = address.map((field) => ({
  ...field,
  required: false,
  optional: true,
  ...(field.name === 'street' && {
    hint: 'The address of a company belongs on its invoice.',
  }),
}))

/** Who orders, where it goes, and for which company. */
export function Buyer(props: CheckoutPart & { onQuote: () => void }) {
  const { form, entries, errors, onQuote } = props
  const isCompany = ['company', 'vatId', ...(form.needs.address ? [] : ['street'])].some(
    (name) => entries[name] || errors[name],
  )
  const textFields = (fields: readonly TextField[]) =>
    fields.map((field) => <Field key={field.name} {...field} {...fieldOf(props, field.name)} />)
  return (
    <>
      <FieldSet legend="Contact" className={styles.pair}>
        {textFields(contact)}
      </FieldSet>
      <FieldSet
        legend={form.needs.address ? 'Delivery address' : 'Where you live'}
        hint={
          form.needs.address
            ? undefined
            : 'The country decides about VAT. An address is only needed for things that are sent.'
        }
      >
        {form.needs.address && textFields(address)}
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
          {textFields(company)}
          {!form.needs.address && textFields(companyAddress)}
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
