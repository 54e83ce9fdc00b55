import { isInUnion } from '#shared/union.ts'

/** What VAT identification numbers look like, by country (Directive 2006/112/EC, art. 215; VIES). */
const patterns: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  HR: /^\d{11}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  FI: /^\d{8}$/,
  FR: /^[0-9A-HJ-NP-Z]{2}\d{9}$/,
  DE: /^\d{9}$/,
  GR: /^\d{9}$/,
  HU: /^\d{8}$/,
  IE: /^(?:\d{7}[A-W][A-I]?|\d[A-Z+*]\d{5}[A-W])$/,
  IT: /^\d{11}$/,
  LV: /^\d{11}$/,
  LT: /^(?:\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  MT: /^\d{8}$/,
  NL: /^\d{9}B\d{2}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SK: /^\d{10}$/,
  SI: /^\d{8}$/,
  ES: /^[A-Z0-9]\d{7}[A-Z0-9]$/,
  SE: /^\d{12}$/,
}

/** What a VAT id comes to: the buyer owes the VAT himself, or why not. */
export type VatIdResult = {
  /** As it stands on an invoice, with the country in front; null when it is none. */
  vatId: string | null
  reverseCharge: boolean
  /** A sentence for the buyer; null when there is nothing to say. */
  problem: string | null
}

/**
 * Looks at a VAT id. Reverse charge needs a well-formed id of another member state than Finland,
 * and the id has to be of the country that is delivered to.
 * @param given as typed, with or without spaces, points and the country in front
 * @param country of the buyer, ISO 3166-1 alpha-2
 */
export function checkVatId(given: string | undefined, country: string): VatIdResult {
  const typed = (given ?? '').replaceAll(/[\s.-]/g, '').toUpperCase()
  if (typed === '') return { vatId: null, reverseCharge: false, problem: null }
  const none = (problem: string): VatIdResult => ({ vatId: null, reverseCharge: false, problem })
  if (!isInUnion(country)) return none('VAT ids of the European Union alone can be used here')
  // Greece alone has another code in its VAT ids than in its addresses.
  const prefix = country === 'GR' ? 'EL' : country
  const letters = /^[A-Z]{2}/.exec(typed)?.[0]
  const isForeign = letters !== undefined && letters !== prefix && letters in { ...patterns, EL: 1 }
  if (isForeign) return none('This VAT id is of another country than the address')
  const number = typed.startsWith(prefix) ? typed.slice(2) : typed
  if (!patterns[country]?.test(number)) return none('This is no VAT id of this country')
  if (country === 'FI' && !isFinnish(number)) return none('The check digit of this VAT id is wrong')
  return { vatId: prefix + number, reverseCharge: country !== 'FI', problem: null }
}

/** The check digit of a Finnish business id: weights 7 9 10 5 8 4 2 (Finnish Tax Administration). */
function isFinnish(number: string): boolean {
  const weights = [7, 9, 10, 5, 8, 4, 2]
  const rest = weights.reduce((sum, weight, at) => sum + weight * Number(number[at]), 0) % 11
  return rest !== 1 && Number(number[7]) === (rest === 0 ? 0 : 11 - rest)
}
