import { placeOf } from '#shared/shop/tax.ts'
import { isInUnion } from '#shared/union.ts'
import type { VatCheck } from '#shared/shop/vat-check.ts'
import { library } from '../../library.ts'
import type { Vies } from './vies.ts'

const vatNumbers = library('jsvat-next')

/** What a VAT id comes to: whether its company accounts for the VAT itself, or why not. */
export type VatIdResult = {
  /** As it is printed on an invoice, with the country in front; null when it doesn't count. */
  readonly vatId: string | null
  readonly reverseCharge: boolean
  /** A sentence for the buyer; null when there is nothing to say. */
  readonly problem: string | null
  /** Whether it can't be a VAT id of the country at all; false where VIES alone says no. */
  readonly isWrong: boolean
  /** What VIES said; null where it was not asked. */
  readonly check: VatCheck | null
}

const nothing: VatIdResult = {
  vatId: null,
  reverseCharge: false,
  problem: null,
  isWrong: false,
  check: null,
}

/**
 * Checks a VAT id: its form and check digits, then VIES where the site asks it. Reverse charge needs one
 * of another member state than Finland, or of Northern Ireland (`XI`) for goods, and of the country that
 * is delivered to. While VIES doesn't answer, VAT is charged.
 * @param given as typed, with or without spaces, points and the country in front
 * @param buyer country (ISO 3166-1 alpha-2) and, where it is known, the postal code
 * @param vies asks VIES; null where check digits have to do
 */
export async function checkVatId(
  given: string | undefined,
  buyer: { country: string; postcode?: string | null },
  vies: Vies | null,
): Promise<VatIdResult> {
  const typed = (given ?? '').replaceAll(/[\s.-]/g, '').toUpperCase()
  if (typed === '') return nothing
  const wrong = (problem: string): VatIdResult => ({ ...nothing, problem, isWrong: true })
  const { country } = buyer
  const { area } = placeOf(buyer)
  const isNorthernIreland =
    country === 'GB' && (area === 'northern-ireland' || typed.startsWith('XI'))
  if (area === 'outside' && !isNorthernIreland) {
    const where = isInUnion(country) ? 'the EU’s VAT area' : 'the EU'
    return wrong(`Leave this empty: outside ${where} your company doesn’t need a VAT ID`)
  }
  // Greece and Northern Ireland have other codes in their VAT ids than in their addresses.
  const prefix =
    country === 'GR' ? 'EL' : isNorthernIreland ? 'XI' : country === 'AX' ? 'FI' : country
  const vatId = typed.startsWith(prefix) ? typed : prefix + typed
  const { checkVAT, countries } = vatNumbers()
  const asChecked = (id: string) => checkVAT(id.replace(/^XI/, 'GB'), countries)
  const checked = asChecked(vatId)
  const codes = [country, ...(country === 'AX' ? ['FI'] : [])]
  const isOfCountry = ({ country: found }: typeof checked) =>
    found !== undefined && codes.includes(found.isoCode.short)
  if (!checked.isValid || !isOfCountry(checked)) {
    const asTyped = asChecked(typed)
    if (asTyped.isValidFormat && !isOfCountry(asTyped)) {
      return wrong('That VAT number doesn’t match the country')
    }
    return wrong(
      checked.isValidFormat
        ? 'The check digits of this VAT number are wrong'
        : 'That isn’t a VAT number of this country',
    )
  }
  if (prefix === 'FI') return { ...nothing, vatId }
  if (isNorthernIreland && area !== 'northern-ireland') {
    return wrong('A VAT number that begins with XI needs an address in Northern Ireland')
  }
  if (!vies) return { ...nothing, vatId, reverseCharge: true }
  const check = await vies(vatId)
  if (check.state === 'yes') return { ...nothing, vatId, reverseCharge: true, check }
  return check.state === 'no'
    ? {
        ...nothing,
        check,
        problem:
          'VIES, the EU’s VAT register, doesn’t list this number, so VAT is charged. Your tax office can tell you why.',
      }
    : {
        ...nothing,
        vatId,
        check,
        problem:
          'VIES, the EU’s VAT register, isn’t responding, so VAT is charged. Order later, or ask us for an invoice without VAT.',
      }
}
