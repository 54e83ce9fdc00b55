import { failure } from '#shared/failures.ts'
import { transit, workingDays } from '#shared/shop/delivery-words.ts'
import type { DeliveryArea } from '#shared/shop/shop.ts'
import { isInUnion } from '#shared/union.ts'

/** Countries that we send to, with their English names; the European Union and its neighbours. */
export const countries: readonly { code: string; name: string }[] = [
  ['AT', 'Austria'],
  ['BE', 'Belgium'],
  ['BG', 'Bulgaria'],
  ['CA', 'Canada'],
  ['HR', 'Croatia'],
  ['CY', 'Cyprus'],
  ['CZ', 'Czechia'],
  ['DK', 'Denmark'],
  ['EE', 'Estonia'],
  ['FI', 'Finland'],
  ['FR', 'France'],
  ['DE', 'Germany'],
  ['GR', 'Greece'],
  ['HU', 'Hungary'],
  ['IE', 'Ireland'],
  ['IT', 'Italy'],
  ['LV', 'Latvia'],
  ['LT', 'Lithuania'],
  ['LU', 'Luxembourg'],
  ['MT', 'Malta'],
  ['NL', 'Netherlands'],
  ['NO', 'Norway'],
  ['PL', 'Poland'],
  ['PT', 'Portugal'],
  ['RO', 'Romania'],
  ['SK', 'Slovakia'],
  ['SI', 'Slovenia'],
  ['ES', 'Spain'],
  ['SE', 'Sweden'],
  ['CH', 'Switzerland'],
  ['GB', 'United Kingdom'],
  ['US', 'United States'],
  ['AX', 'Åland Islands'],
].map(([code, name]) => ({ code: code!, name: name! }))

/** Cents including VAT, by the most grams that a parcel of the price may have. */
type Tariff = readonly (readonly [grams: number, cents: number])[]

const finland: Tariff = [
  [500, 590],
  [2_000, 890],
  [10_000, 1290],
  [30_000, 1990],
]
const union: Tariff = [
  [500, 990],
  [2_000, 1590],
  [10_000, 2490],
  [30_000, 3990],
]
const elsewhere: Tariff = [
  [500, 1490],
  [2_000, 2490],
  [10_000, 4990],
  [30_000, 8990],
]

/** The areas that we deliver to, with what each parcel costs; the one source of page and price. */
export const deliveryAreas = (): DeliveryArea[] => {
  const nameOf = ({ name }: { name: string }) => name
  const within = (area: (code: string) => boolean) =>
    countries.filter(({ code }) => area(code)).map(nameOf)
  const costs = (tariff: Tariff) => tariff.map(([grams, cost]) => ({ grams, cost }))
  return [
    {
      name: 'Finland',
      countries: within(isHome),
      transit: workingDays(transit.finland),
      costs: costs(finland),
    },
    {
      name: 'European Union',
      countries: within((code) => !isHome(code) && isInUnion(code)),
      transit: workingDays(transit.union),
      costs: costs(union),
    },
    {
      name: 'Outside the European Union',
      countries: within((code) => !isHome(code) && !isInUnion(code)),
      transit: workingDays(transit.elsewhere),
      costs: costs(elsewhere),
    },
  ]
}

const isHome = (country: string) => country === 'FI' || country === 'AX'

/**
 * What it costs to send a parcel.
 * @param country ISO 3166-1 alpha-2
 * @param grams of everything in it; what is heavier than a parcel goes in several
 * @returns cents including VAT
 * @throws invalid for a country that we do not send to
 */
export function shippingFor(country: string, grams: number): number {
  if (!countries.some(({ code }) => code === country)) {
    throw failure('invalid', { errors: { country: 'We don’t ship to this country yet' } })
  }
  const tariff = isHome(country) ? finland : isInUnion(country) ? union : elsewhere
  const [heaviest, dearest] = tariff.at(-1)!
  const whole = Math.floor(Math.max(0, grams - 1) / heaviest)
  const rest = grams - whole * heaviest
  return whole * dearest + tariff.find(([max]) => rest <= max)![1]
}
