import { hasStates } from '#shared/shop/address-rules.ts'
import { countryName } from '#shared/shop/countries.ts'

/** The Union, its neighbours, and where the series go that we work for; ISO 3166-1 alpha-2. */
const codes =
  'FI SE NO DK IS EE LV LT DE AT CH LI NL BE LU FR MC IT SM ES PT AD IE GB PL CZ SK HU SI HR BA RS ME MK AL GR CY MT BG RO MD UA TR GE AM AZ US CA MX BR AR CL UY JP KR CN HK TW SG MY TH ID IN AU NZ ZA MA KE AE SA QA BH KW OM IL'.split(
    ' ',
  )

let listed: readonly { code: string; name: string }[] | undefined

/** The countries of forms, Finland first and the rest by name. */
export function countries(): readonly { code: string; name: string }[] {
  listed ??= codes
    .map((code) => ({ code, name: countryName(code) ?? code }))
    .toSorted((a, b) =>
      a.code === 'FI' ? -1 : b.code === 'FI' ? 1 : a.name.localeCompare(b.name, 'en'),
    )
  return listed
}

/** The same for whom to invoice: which of them have states in their addresses. */
export const billable = (): { code: string; name: string; hasStates?: true }[] =>
  countries().map((each) => ({ ...each, ...(hasStates(each.code) && { hasStates: true }) }))
