import { isCountry } from '#shared/shop/countries.ts'
import { failure } from '#shared/failures.ts'
import { placeOf, type TaxBuyer } from '#shared/shop/tax.ts'
import type { VatIdResult } from './vat-id.ts'

/** What of a buyer decides about VAT; what is left out isn't known yet. */
export type BuyerFacts = {
  readonly country: string
  readonly company?: string | null
  readonly street?: string | null
  readonly postcode?: string | null
  readonly city?: string | null
}

/**
 * Who buys, as VAT sees it. A company of the union needs a VAT id that counts; every company needs its
 * name and address, or the sale is one to a consumer (Regulation (EU) 282/2011, art. 18).
 * @throws invalid for an unknown country
 * @returns the buyer, and which fields a company with such a VAT id still lacks
 */
export function taxBuyerOf(
  facts: BuyerFacts,
  { reverseCharge, check }: Pick<VatIdResult, 'reverseCharge' | 'check'>,
): { buyer: TaxBuyer; lacks: readonly ('company' | 'street' | 'postcode' | 'city')[] } {
  if (!isCountry(facts.country)) {
    throw failure('invalid', { errors: { country: 'Please choose a country' } })
  }
  const place = placeOf(facts)
  const needed = ['company', 'street', 'postcode', 'city'] as const
  const missing = needed.filter((name) => !facts[name]?.trim())
  const isCompany = missing.length === 0
  const needsVatId = place.area === 'union' || place.area === 'northern-ireland'
  return {
    buyer: {
      place,
      isCompany,
      isBusiness: isCompany && (needsVatId ? reverseCharge : true),
      isUnproven: check?.state === 'down',
    },
    lacks: reverseCharge ? missing : [],
  }
}
