import type { BuyerEntries } from './orders.ts'
import { postcodeProblem } from './postcodes.ts'

/** What an address on a parcel has. */
type AddressEntries = Readonly<
  Partial<Record<'street' | 'postcode' | 'city' | 'state' | 'country', string | null | undefined>>
>

const messages = {
  street: 'Please enter the street address',
  postcode: 'Please enter the postal code',
  city: 'Please enter the town',
} as const satisfies Partial<Record<keyof BuyerEntries, string>>

const states: Readonly<Record<string, { codes: readonly string[]; message: string }>> = {
  US: {
    codes:
      'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY AS GU MP PR VI AA AE AP'.split(
        ' ',
      ),
    message: 'Please enter the state, such as IN or Indiana',
  },
  CA: {
    codes: 'AB BC MB NB NL NS NT NU ON PE QC SK YT'.split(' '),
    message: 'Please enter the province, such as ON or Ontario',
  },
}

/** Whether addresses of a country have a state or province. */
export const hasStates = (country: string | null | undefined): boolean =>
  Boolean(country && states[country])

/** Countries without states in it that write the postal code after the town. */
const codeAfterTown: ReadonlySet<string> = new Set(['AU', 'GB', 'IE', 'IN', 'NZ', 'ZA'])

/** The line of an address with the town, as the post of its country wants it; empty where nothing is known. */
export function townLine({
  postcode,
  city,
  region,
  country,
}: Readonly<Record<'postcode' | 'city' | 'region' | 'country', string | null>>): string {
  const words = (...parts: (string | null)[]) => parts.filter(Boolean).join(' ')
  if (hasStates(country)) return [city, words(region, postcode)].filter(Boolean).join(', ')
  return codeAfterTown.has(country ?? '') ? words(city, postcode) : words(postcode, city)
}

/**
 * What is wrong with the state of an address.
 * @param state a name, or two letters, which have to be one of theirs
 * @returns a sentence; null for a country without states, too
 */
export function stateProblem(
  country: string | null | undefined,
  state: string | null | undefined,
): string | null {
  const known = states[country ?? '']
  const given = state?.trim().toUpperCase() ?? ''
  if (!known || given.length > 2 || known.codes.includes(given)) return null
  return known.message
}

/**
 * What the address of something that is sent lacks, or has wrong, by field; the browser and the server ask alike.
 * A state is asked for in countries whose addresses have one; two letters have to be one of theirs.
 */
export function missingAddress(entries: AddressEntries): Record<string, string> {
  const missing: Record<string, string> = Object.fromEntries(
    Object.entries(messages).filter(([name]) => !entries[name as keyof typeof messages]),
  )
  const wrong = postcodeProblem(entries.country, entries.postcode)
  if (wrong !== null) missing.postcode = wrong
  const problem = stateProblem(entries.country, entries.state)
  if (problem !== null) missing.state = problem
  return missing
}
