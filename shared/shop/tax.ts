import { bareCode, isOfAland } from './postcodes.ts'
import { countryName } from './countries.ts'
import type { CivilDate } from '../dates/civil-dates.ts'
import { vatRate, type VatClass, type VatRate } from '../money.ts'
import { bookRate, standardRate } from './tax-rates.ts'
import { isInUnion } from '../union.ts'

// Place of supply and rate of VAT, for a seller in Finland (docs/decisions/0047-vat.md).

/** What is supplied: goods that are sent, files and licences, a service, or one at a place. */
export type Supply = 'goods' | 'electronic' | 'service' | 'on-site'

/**
 * Where someone is, as VAT sees it. Åland is in Finland for services and outside the VAT area for
 * goods; Northern Ireland is in the union for goods and outside it for services.
 */
export type TaxArea = 'finland' | 'aland' | 'union' | 'northern-ireland' | 'outside'

/** A place, by country and what its postal code says of it. */
export type TaxPlace = { readonly country: string; readonly area: TaxArea }

/** Who buys. A business is a company with its address and, in the union, a VAT id that counts. */
export type TaxBuyer = {
  readonly place: TaxPlace
  readonly isBusiness: boolean
  /** Whether it is a company with its address: enough where a supply is outside the union. */
  readonly isCompany?: boolean
  /**
   * Whether it gave a VAT id of another member state that couldn't be checked. It pays Finnish VAT, and is
   * no consumer: neither the threshold nor the return of the One Stop Shop counts what it buys.
   */
  readonly isUnproven?: boolean
}

/** Why a rate is what it is. */
export const taxGrounds = [
  'domestic',
  'distance-sale',
  'oss',
  'intra-community',
  'reverse-charge',
  'export',
  'aland',
  'outside-eu',
  'performed-abroad',
] as const
/** One of {@link taxGrounds}. */
export type TaxGround = (typeof taxGrounds)[number]

/** The VAT of a line: its rate, whose VAT it is, and why. */
export type Tax = {
  readonly rate: VatRate
  /** ISO 3166-1 alpha-2 of the state that the VAT is of; Finland where there is none. */
  readonly country: string
  readonly ground: TaxGround
}

/**
 * Parts of countries that are outside the union's VAT area (Directive 2006/112/EC, art. 6), and places
 * that are no part of them and have postal codes like theirs.
 */
const outsideParts: Readonly<Record<string, RegExp>> = {
  // Büsingen, by its Swiss code as well, and Heligoland.
  DE: /^(?:78266|8238|27498)$/,
  // Greenland; the Faroe Islands are told by what is before their digits.
  DK: /^39\d\d$/,
  // The Canary Islands, Ceuta, Melilla.
  ES: /^(?:35|38|51|52)\d{3}$/,
  // The overseas departments and territories, not Monaco.
  FR: /^(?:97[1-8]|98[4678])/,
  // Mount Athos.
  GR: /^6308[67]$/,
  // Livigno, Campione d’Italia; San Marino, the Vatican.
  IT: /^(?:23041|22061|4789\d|00120)$/,
}

/**
 * Where an address is, as VAT sees it.
 * @param address country (ISO 3166-1 alpha-2) and, where it is known, the postal code as typed
 */
export function placeOf({
  country,
  postcode,
}: {
  country: string
  postcode?: string | null
}): TaxPlace {
  const code = bareCode(postcode)
  if (country === 'AX' || (country === 'FI' && isOfAland(code))) {
    return { country, area: 'aland' }
  }
  if (country === 'FI') return { country, area: 'finland' }
  if (country === 'GB' && /^BT\d/.test(code)) return { country, area: 'northern-ireland' }
  const isFaroese = country === 'DK' && /^\s*FO/i.test((postcode ?? '').normalize('NFKC'))
  const isInside = isInUnion(country) && !isFaroese && !outsideParts[country]?.test(code)
  return { country, area: isInside ? 'union' : 'outside' }
}

/** The ground by supply, area and buyer; a service at a place follows {@link taxOf}. */
const grounds: Readonly<
  Record<
    Exclude<Supply, 'on-site'>,
    Readonly<Record<TaxArea, { consumer: TaxGround; business: TaxGround }>>
  >
> = {
  goods: {
    finland: { consumer: 'domestic', business: 'domestic' },
    aland: { consumer: 'aland', business: 'aland' },
    union: { consumer: 'distance-sale', business: 'intra-community' },
    'northern-ireland': { consumer: 'distance-sale', business: 'intra-community' },
    outside: { consumer: 'export', business: 'export' },
  },
  electronic: {
    finland: { consumer: 'domestic', business: 'domestic' },
    aland: { consumer: 'domestic', business: 'domestic' },
    union: { consumer: 'distance-sale', business: 'reverse-charge' },
    'northern-ireland': { consumer: 'outside-eu', business: 'outside-eu' },
    outside: { consumer: 'outside-eu', business: 'outside-eu' },
  },
  // Consumers are supplied where the seller is (art. 45), wherever they live.
  service: {
    finland: { consumer: 'domestic', business: 'domestic' },
    aland: { consumer: 'domestic', business: 'domestic' },
    union: { consumer: 'domestic', business: 'reverse-charge' },
    'northern-ireland': { consumer: 'domestic', business: 'outside-eu' },
    outside: { consumer: 'domestic', business: 'outside-eu' },
  },
}

/** What VAT a supply has to be worked out from. */
export type TaxQuestion = {
  supply: Supply
  /** The kind of VAT that it has in Finland. */
  vatClass: VatClass
  /** Whether it is a printed book, which most member states have a rate of their own for. */
  isBook?: boolean
  /** The day of the supply, or of a payment that comes before it. */
  date: CivilDate
  buyer: TaxBuyer
  /** The day from which the seller is registered for the One Stop Shop; null while he is not. */
  ossFrom: CivilDate | null
  /** Where a service is performed; Finland where it is not said. */
  performedIn?: TaxPlace
}

const inFinland: TaxPlace = { country: 'FI', area: 'finland' }

/** The VAT of a supply. @throws RangeError for days for which no rate is known */
export function taxOf(question: TaxQuestion): Tax {
  const ground = groundOf(question)
  const { vatClass, isBook = false, date, buyer, performedIn = inFinland } = question
  switch (ground) {
    case 'domestic':
    case 'distance-sale':
      return { ground, country: 'FI', rate: vatRate(vatClass, date) }
    case 'oss':
    case 'performed-abroad': {
      const { country } = ground === 'oss' ? buyer.place : performedIn
      if (vatClass === 'none') return { ground, country, rate: 0 }
      return { ground, country, rate: (isBook ? bookRate : standardRate)(country, date) }
    }
    default:
      return { ground, country: 'FI', rate: 0 }
  }
}

function groundOf({
  supply,
  date,
  buyer: { place, isBusiness, isCompany = false, isUnproven = false },
  ossFrom,
  performedIn = inFinland,
}: TaxQuestion): TaxGround {
  // Northern Ireland is in the union for goods alone, so nothing else needs a VAT id there.
  const isOutside = place.area === 'northern-ireland' && supply !== 'goods'
  const buyer = isBusiness || (isOutside && isCompany) ? 'business' : 'consumer'
  if (supply === 'on-site' && buyer === 'consumer') {
    if (performedIn.area === 'finland' || performedIn.area === 'aland') return 'domestic'
    return performedIn.area === 'union' ? 'performed-abroad' : 'outside-eu'
  }
  const ground = grounds[supply === 'on-site' ? 'service' : supply][place.area][buyer]
  if (ground === 'distance-sale' && isUnproven) return 'domestic'
  const isRegistered = ossFrom !== null && date >= ossFrom
  return ground === 'distance-sale' && isRegistered ? 'oss' : ground
}

const directive = 'Directive 2006/112/EC'

const reasons: Readonly<Record<TaxGround, (country: string | undefined) => string>> = {
  domestic: () => 'Finnish VAT',
  'distance-sale': () =>
    `Finnish VAT: sold to a consumer in another EU country (${directive}, art. 59c)`,
  oss: (country) => `VAT of ${country}, through the One Stop Shop (${directive}, art. 33 and 58)`,
  'performed-abroad': (country) =>
    `VAT of ${country}, where the work is done (${directive}, art. 54)`,
  'intra-community': () => `VAT 0 %: intra-Community supply of goods (${directive}, art. 138)`,
  'reverse-charge': () =>
    `Reverse charge: the buyer accounts for the VAT (${directive}, art. 44 and 196)`,
  export: () => `VAT 0 %: goods exported from the European Union (${directive}, art. 146)`,
  aland: () => `VAT 0 %: goods sent to Åland, outside the VAT area (${directive}, art. 6)`,
  'outside-eu': () =>
    `No Finnish VAT: supplied outside the European Union (${directive}, art. 44, 58 and 59)`,
}

/** Why a rate is what it is, as documents say it; with the article where the usual VAT is not charged. */
export const taxReason = ({ ground, country }: Pick<Tax, 'ground' | 'country'>): string =>
  reasons[ground](countryName(country) ?? country)
