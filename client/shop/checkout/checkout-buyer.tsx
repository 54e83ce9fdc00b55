import type { ComponentProps } from 'react'
import type { Entries, FieldErrors } from '#shared/forms/form.ts'
import { pickupWords } from '#shared/shop/delivery-words.ts'
import { importWords } from '#shared/shop/import-words.ts'
import type { CheckoutForm } from '#shared/shop/orders.ts'
import { paths } from '#shared/paths.ts'
import button from '../../ui/button.module.css'
import fold from '../../ui/fold.module.css'
import { Field, SelectField, fieldsOf } from '../../forms/field.tsx'
import { FieldSet } from '../../forms/field-set.tsx'
import { RadioCards } from '../../forms/radio-cards.tsx'
import styles from './checkout-page.module.css'

/** Props of a part of the checkout form. */
export type CheckoutPart = {
  form: CheckoutForm
  entries: Entries
  errors: FieldErrors
}

type TextField = Omit<ComponentProps<typeof Field>, 'id' | 'defaultValue' | 'error'>

const contact: readonly TextField[] = [
  { name: 'email', label: 'Email', type: 'email', autoComplete: 'email', required: true },
  { name: 'name', label: 'Name', autoComplete: 'name', required: true, maxLength: 100 },
]

const phone: TextField = {
  name: 'phone',
  label: 'Phone',
  type: 'tel',
  autoComplete: 'tel',
  optional: true,
  maxLength: 30,
  hint: 'For the carrier, and for customs outside the EU.',
}

const address: readonly TextField[] = [
  {
    name: 'street',
    label: 'Street and number',
    autoComplete: 'address-line1',
    required: true,
    maxLength: 200,
    className: styles.whole,
  },
  {
    name: 'street2',
    label: 'Flat, floor or building',
    autoComplete: 'address-line2',
    optional: true,
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
  {
    name: 'state',
    label: 'State or province',
    autoComplete: 'address-level1',
    optional: true,
    maxLength: 60,
    hint: 'United States and Canada only.',
    className: styles.whole,
  },
]

const company: readonly TextField[] = [
  {
    name: 'company',
    label: 'Company name',
    autoComplete: 'organization',
    optional: true,
    maxLength: 120,
  },
  {
    name: 'vatId',
    label: 'VAT ID',
    optional: true,
    maxLength: 30,
    placeholder: 'SE556677889901',
    hint: 'Or a Finnish business ID. With it you order as a company, without a consumer’s right of withdrawal.',
  },
]

/** When nothing ships: what the law requires on a company's invoice. */
const companyAddress: readonly TextField[] = address
  .filter(({ name }) => name !== 'state')
  .map((field) => ({
    ...field,
    required: false,
    optional: true,
    ...(field.name === 'street' && {
      hint: 'Company invoices need an address.',
    }),
  }))

/** The buyer, the delivery address and the company. */
export function Buyer(props: CheckoutPart & { onQuote: () => void }) {
  const { form, entries, errors, onQuote } = props
  const control = fieldsOf('checkout', props)
  const isCompany = ['company', 'vatId', ...(form.needs.address ? [] : ['street'])].some(
    (name) => entries[name] || errors[name],
  )
  const isPickup = form.pickup !== null && entries.delivery === 'pickup'
  const textFields = (fields: readonly TextField[]) =>
    fields.map((field) => <Field key={field.name} {...field} {...control(field.name)} />)
  return (
    <>
      <FieldSet legend="Contact" className={styles.pair}>
        {textFields(contact)}
      </FieldSet>
      {form.pickup && (
        <RadioCards
          legend="Delivery"
          name="delivery"
          id="checkout-delivery"
          defaultValue={entries.delivery ?? 'parcel'}
          error={errors.delivery}
          onChange={onQuote}
          className={styles.payment}
          options={[
            {
              value: 'parcel',
              label: 'Ship it to me',
              detail: (
                <>
                  The summary shows what it costs.{' '}
                  <a href={paths.delivery()}>Countries and costs</a>
                </>
              ),
            },
            { value: 'pickup', label: pickupWords, detail: form.pickup.address },
          ]}
        />
      )}
      <FieldSet
        className={styles.pair}
        legend={isPickup ? 'Your address' : form.needs.address ? 'Delivery address' : 'Country'}
        hint={
          !form.needs.address
            ? 'Your country sets the VAT. We only need an address for shipped items.'
            : isPickup
              ? 'Only needed for the invoice of a company.'
              : importWords
        }
      >
        {form.needs.address &&
          textFields(
            isPickup
              ? address.map((field) => ({ ...field, required: false, optional: true }))
              : address,
          )}
        <SelectField
          label="Country"
          autoComplete="country"
          required
          {...control('country', 'FI')}
          options={form.countries.map(({ code, name }) => ({ value: code, label: name }))}
          onChange={onQuote}
        />
        {form.needs.address && textFields([phone])}
        <noscript className={styles.whole}>
          <Recount />
        </noscript>
      </FieldSet>
      <details className={`${fold.fold} ${styles.company}`} open={isCompany || undefined}>
        <summary>Buying for a company?</summary>
        <FieldSet
          legend="Company"
          className={styles.pair}
          hint="With a valid VAT ID from another EU country, the invoice is without VAT (reverse charge)."
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

/** Reprices the order for the country and the VAT ID. */
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
