import { placeOf } from '#shared/shop/tax.ts'
import { controlsOf, readDraft, removeDraft, writeDraft, type Control } from '../../forms/draft.ts'

/** Where session storage has what was entered. */
const storageKey = 'checkout_draft'

/** What the price depends on. */
const pricing = new Set(['country', 'postcode', 'vatId', 'company', 'delivery'])

/**
 * Fills the checkout with what was entered before it was left for the payment page, or reloaded, and
 * keeps what is entered from now on. How to pay and the boxes are asked again: the law wants them
 * chosen for each order. A code has its place in the cart. Prices the order again once what was typed
 * changes its VAT: a postal code of Åland, a VAT id, a company outside of the union.
 * @param options `isRefused` for a form that came back with its entries; `reprice` once the price may
 *   be another one
 * @returns what stops it
 */
export function keepCheckout(
  form: HTMLFormElement,
  { isRefused, reprice }: { isRefused: boolean; reprice: () => void },
): () => void {
  const controls = () => controlsOf(form).filter(({ name }) => name !== 'discount')
  const deliveries = () =>
    Array.from(form.querySelectorAll<HTMLInputElement>('[type="radio"][name="delivery"]'))
  for (const [name, value] of isRefused ? [] : Object.entries(readDraft(storageKey))) {
    const control = controls().find((each) => each.name === name)
    if (control && isUntouched(control)) control.value = value
    const delivery = name === 'delivery' && deliveries().find((each) => each.value === value)
    if (delivery) delivery.checked = true
  }
  const changed = controls().filter((each) => !isUntouched(each))
  for (const { parentElement } of changed) {
    const fold = parentElement?.closest('details')
    if (fold) fold.open = true
  }
  const save = () => {
    const entries = controls().filter(({ value }) => value !== '')
    const chosen = deliveries().filter(({ checked }) => checked)
    writeDraft(
      storageKey,
      Object.fromEntries([...entries, ...chosen].map(({ name, value }) => [name, value])),
    )
  }
  let priced = taxedAs(controls())
  const onChange = ({ target }: Event) => {
    const taxed = taxedAs(controls())
    if (taxed === priced) return
    priced = taxed
    // Another country prices the order by itself.
    if (target instanceof HTMLInputElement) reprice()
  }
  form.addEventListener('input', save)
  form.addEventListener('change', onChange)
  if (changed.length > 0) save()
  // Browsers fill in fields again, too, such as on the way back.
  const chosen = [
    ...changed,
    ...deliveries().filter((each) => each.checked !== each.defaultChecked),
  ]
  if (!isRefused && chosen.some(({ name }) => pricing.has(name))) reprice()
  return () => {
    form.removeEventListener('input', save)
    form.removeEventListener('change', onChange)
  }
}

/** What of the entries decides about VAT: where the address is, the VAT id, and whether a company buys. */
function taxedAs(controls: readonly Control[]): string {
  const entered = (name: string) => controls.find((each) => each.name === name)?.value.trim() ?? ''
  const { area } = placeOf({ country: entered('country'), postcode: entered('postcode') })
  const isCompany =
    (area === 'outside' || area === 'northern-ireland') &&
    ['company', 'street', 'postcode', 'city'].every((name) => entered(name) !== '')
  return [area, entered('vatId'), isCompany].join(' ')
}

/** Forgets what was entered once the order is taken. */
export const forgetCheckout = (): void => removeDraft(storageKey)

/** Whether a field is as the page brought it: what was typed before this code came stays. */
const isUntouched = (control: Control) =>
  control instanceof HTMLSelectElement
    ? control.selectedOptions[0]?.defaultSelected
    : control.value === control.defaultValue
