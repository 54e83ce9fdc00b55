import { isInUnion } from '../union.ts'
import { transit, type Dispatch } from './delivery-words.ts'

/** Countries that we send to, with their English names; the European Union and its neighbours. */
export const countries: readonly { code: string; name: string }[] = [
  { code: 'AT', name: 'Austria' },
  { code: 'BE', name: 'Belgium' },
  { code: 'BG', name: 'Bulgaria' },
  { code: 'CA', name: 'Canada' },
  { code: 'HR', name: 'Croatia' },
  { code: 'CY', name: 'Cyprus' },
  { code: 'CZ', name: 'Czechia' },
  { code: 'DK', name: 'Denmark' },
  { code: 'EE', name: 'Estonia' },
  { code: 'FI', name: 'Finland' },
  { code: 'FR', name: 'France' },
  { code: 'DE', name: 'Germany' },
  { code: 'GR', name: 'Greece' },
  { code: 'HU', name: 'Hungary' },
  { code: 'IE', name: 'Ireland' },
  { code: 'IT', name: 'Italy' },
  { code: 'LV', name: 'Latvia' },
  { code: 'LT', name: 'Lithuania' },
  { code: 'LU', name: 'Luxembourg' },
  { code: 'MT', name: 'Malta' },
  { code: 'NL', name: 'Netherlands' },
  { code: 'NO', name: 'Norway' },
  { code: 'PL', name: 'Poland' },
  { code: 'PT', name: 'Portugal' },
  { code: 'RO', name: 'Romania' },
  { code: 'SK', name: 'Slovakia' },
  { code: 'SI', name: 'Slovenia' },
  { code: 'ES', name: 'Spain' },
  { code: 'SE', name: 'Sweden' },
  { code: 'CH', name: 'Switzerland' },
  { code: 'GB', name: 'United Kingdom' },
  { code: 'US', name: 'United States' },
  { code: 'AX', name: 'Åland Islands' },
]

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

/** Countries that parcels go to for the same prices. */
export type ParcelArea = {
  readonly name: string
  readonly transit: Dispatch
  readonly tariff: Tariff
  /** Whether a country that we send to is one of it. @param country ISO 3166-1 alpha-2 */
  has(country: string): boolean
}

const isHome = (country: string) => country === 'FI' || country === 'AX'

/** The areas that we deliver to, with what each parcel costs; the one source of pages, prices and structured data. */
export const parcelAreas = (): readonly ParcelArea[] => [
  { name: 'Finland', transit: transit.finland, tariff: finland, has: isHome },
  {
    name: 'European Union',
    transit: transit.union,
    tariff: union,
    has: (country) => !isHome(country) && isInUnion(country),
  },
  {
    name: 'Outside the European Union',
    transit: transit.elsewhere,
    tariff: elsewhere,
    has: (country) => !isHome(country) && !isInUnion(country),
  },
]

/** The countries of an area that we send to. */
export const countriesOf = ({ has }: ParcelArea): typeof countries =>
  countries.filter(({ code }) => has(code))

/**
 * What parcels of an area cost.
 * @param grams of everything in them; what is heavier than a parcel goes in several
 * @returns cents including VAT
 */
export function parcelCost({ tariff }: ParcelArea, grams: number): number {
  const [heaviest, dearest] = tariff.at(-1)!
  const whole = Math.floor(Math.max(0, grams - 1) / heaviest)
  const rest = grams - whole * heaviest
  return whole * dearest + tariff.find(([max]) => rest <= max)![1]
}
