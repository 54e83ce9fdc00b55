/** The Union, its neighbours, and where the series go that we work for; ISO 3166-1 alpha-2. */
const codes =
  'FI SE NO DK IS EE LV LT DE AT CH LI NL BE LU FR MC IT SM ES PT AD IE GB PL CZ SK HU SI HR BA RS ME MK AL GR CY MT BG RO MD UA TR GE AM AZ US CA MX BR AR CL UY JP KR CN HK TW SG MY TH ID IN AU NZ ZA MA KE AE SA QA BH KW OM IL'.split(
    ' ',
  )

const names = new Intl.DisplayNames('en', { type: 'region' })

const known = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
/** What is named like a country and is none to invoice to: unions, private codes, outlying islands. */
const noCountries = new Set('AC CP CQ DG EA EU EZ IC QO TA UK UN XA XB ZZ'.split(' '))

/** Whether a code is that of a country: whom to invoice, and with it the rate of VAT, hangs on it. */
export const isCountry = (code: string): boolean =>
  /^[A-Z]{2}$/.test(code) && !noCountries.has(code) && known.of(code) !== undefined

/** The countries of forms, Finland first and the rest by name. */
export const countries: readonly { code: string; name: string }[] = codes
  .map((code) => ({ code, name: names.of(code) ?? code }))
  .toSorted((a, b) =>
    a.code === 'FI' ? -1 : b.code === 'FI' ? 1 : a.name.localeCompare(b.name, 'en'),
  )
