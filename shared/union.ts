// As a list, so that pages which don't ask leave it out.
const members = new Set([
  'AT',
  'BE',
  'BG',
  'HR',
  'CY',
  'CZ',
  'DK',
  'EE',
  'FI',
  'FR',
  'DE',
  'GR',
  'HU',
  'IE',
  'IT',
  'LV',
  'LT',
  'LU',
  'MT',
  'NL',
  'PL',
  'PT',
  'RO',
  'SK',
  'SI',
  'ES',
  'SE',
])

/**
 * Whether a country is a member of the European Union: companies of one member buy from another
 * without VAT, and goods that leave the union are exports.
 * @param country ISO 3166-1 alpha-2
 */
export const isInUnion = (country: string): boolean => members.has(country)
