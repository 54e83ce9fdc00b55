let names: Intl.DisplayNames | undefined

/** What is named like a country and is none: unions, reservations, private codes, outlying islands. */
const noCountries = 'AC CP CQ DG EA EU EZ IC QO TA UK UN XA XB XK ZZ'

/** The English name of a country. @param code ISO 3166-1 alpha-2 @returns undefined for one without */
export function countryName(code: string): string | undefined {
  if (!/^[A-Z]{2}$/.test(code)) return undefined
  // Made when a name is first needed: it takes as long as a short command or page.
  names ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  return names.of(code)
}

/**
 * Whether a code is that of a country as it is now: whom to invoice, and with it the rate of VAT, hangs
 * on it. A former country, and UK, stand for another code.
 */
export const isCountry = (code: string): boolean =>
  countryName(code) !== undefined &&
  !noCountries.includes(code) &&
  new Intl.Locale(`und-${code}`).region === code
