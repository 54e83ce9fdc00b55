import { placeOf, taxOf, type Tax } from '#shared/shop/tax.ts'
import type { BookingLine } from '#shared/bookings/price.ts'
import { failure } from '#shared/failures.ts'
import type { VatCheck } from '#shared/shop/vat-check.ts'
import type { ShopFeature } from '../../../shop/feature.ts'

/** Who books a service, as far as VAT asks. */
export type ServiceBuyer = {
  readonly company: string | null
  readonly country: string | null
  readonly vatId: string | null
  readonly postcode?: string | null
}

/** The VAT of a service, and what VIES said of the VAT ID; null where it wasn't asked. */
export type ServiceTax = Tax & { readonly vatCheck: VatCheck | null }

/**
 * The VAT of a service (docs/decisions/0041-a-booking-is-an-agreement.md): companies elsewhere in the
 * Union owe it themselves when their VAT ID counts, companies outside it pay none of ours, everyone
 * else pays the Finnish rate. VIES may be asked; while it doesn’t respond, what it said before counts.
 * @param date of the supply, YYYY-MM-DD
 * @param isEntered whether the VAT ID has just been typed, so that it can be corrected on the spot
 * @param known what VIES said of this VAT ID before; null for one that it hasn’t been asked about
 * @throws invalid for one that has been typed and can't be a VAT ID of its country. Outside the Union
 *   it's the company's own tax number, for which we have no check.
 */
export async function serviceVat(
  vatOf: ShopFeature['vatOf'],
  buyer: ServiceBuyer,
  { date, isEntered, known }: { date: string; isEntered: boolean; known: VatCheck | null },
): Promise<ServiceTax> {
  const address = addressOf(buyer)
  const { reverseCharge, isWrong, problem, check } = await vatOf(buyer.vatId ?? undefined, address)
  // Northern Ireland is in the union for goods alone.
  const { area } = placeOf(address)
  const isOutside = area === 'outside' || area === 'northern-ireland'
  if (isEntered && isWrong && !isOutside) {
    throw failure('invalid', { errors: { vatId: problem! } })
  }
  const needsVatId = area === 'union'
  // A company that was shown a price without VAT isn't asked for it because VIES is away today.
  const isKnown = check?.state === 'down' && known?.state === 'yes'
  const isBusiness = buyer.company !== null && (needsVatId ? reverseCharge || isKnown : true)
  return { ...taxAs(isBusiness, address, date), vatCheck: isKnown ? known : check }
}

/** The VAT that the lines of a booking were made with, as {@link serviceVat} found it. */
export function vatOfLines(
  buyer: ServiceBuyer,
  lines: readonly Pick<BookingLine, 'rate'>[],
  date: string,
): Tax {
  const address = addressOf(buyer)
  const isFree = lines[0] ? lines[0].rate === 0 : placeOf(address).area === 'outside'
  return taxAs(buyer.company !== null && isFree, address, date)
}

const addressOf = ({ country, postcode = null }: ServiceBuyer) => ({
  country: country ?? 'FI',
  postcode,
})

const taxAs = (isBusiness: boolean, address: ReturnType<typeof addressOf>, date: string): Tax =>
  taxOf({
    supply: 'service',
    vatClass: 'general',
    date,
    buyer: { place: placeOf(address), isBusiness },
    ossFrom: null,
  })
