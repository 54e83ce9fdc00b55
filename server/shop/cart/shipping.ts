import { failure } from '#shared/failures.ts'
import { countries, countriesOf, parcelAreas, parcelCost } from '#shared/shop/delivery-areas.ts'
import { workingDays } from '#shared/shop/delivery-words.ts'
import type { DeliveryArea } from '#shared/shop/shop.ts'

/** The areas that we deliver to, as their page shows them. */
export const deliveryAreas = (): DeliveryArea[] =>
  parcelAreas().map((area) => ({
    name: area.name,
    countries: countriesOf(area).map(({ name }) => name),
    transit: workingDays(area.transit),
    costs: area.tariff.map(([grams, cost]) => ({ grams, cost })),
  }))

/**
 * What it costs to send a parcel.
 * @param country ISO 3166-1 alpha-2
 * @param grams of everything in it; what is heavier than a parcel goes in several
 * @returns cents including VAT
 * @throws invalid for a country that we do not send to
 */
export function shippingFor(country: string, grams: number): number {
  const area = parcelAreas().find(({ has }) => has(country))
  if (!area || !countries.some(({ code }) => code === country)) {
    throw failure('invalid', { errors: { country: 'We don’t ship to this country yet' } })
  }
  return parcelCost(area, grams)
}
