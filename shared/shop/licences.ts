import { countryName } from './countries.ts'
import * as z from 'zod/mini'

/** What a licence is for. */
export const licenceUses = {
  personal: 'Personal use on your own screens and prints',
  screens: 'Screens, not for publication',
  editing: 'Editing of your own and paid work',
  channels: 'Publication in your own channels',
  design: 'Your own designs, films and publications',
  'editorial-web': 'Reporting on websites, in apps and newsletters',
  editorial: 'Reporting in print, broadcast and online',
  advertising: 'Advertising and marketing',
  any: 'Advertising, marketing and reporting',
} as const
/** One of {@link licenceUses}. */
export type LicenceUse = keyof typeof licenceUses

/** Where a licence counts; other territories are countries (ISO 3166-1 alpha-2). */
export const territories = {
  worldwide: 'worldwide',
  europe: 'Europe',
  eu: 'the European Union',
  nordics: 'the Nordic countries',
} as const

/** A territory for people. @returns null for none that is known */
export const territoryName = (territory: string): string | null =>
  territory in territories
    ? territories[territory as keyof typeof territories]
    : (countryName(territory) ?? null)

/** The terms of a licence: what a variant sells. */
export type LicenceTerms = {
  readonly use: LicenceUse
  /** One of {@link territories}, or a country. */
  readonly territory: string
  /** Null for no end. */
  readonly months: number | null
  readonly exclusive: boolean
  /** Copies; null for no limit. */
  readonly printRun: number | null
  /** Who may use it, such as “one company, one brand”. */
  readonly licensee: string
}

/** How {@link LicenceTerms} are kept. */
export const licenceTermsShape = z.object({
  use: z.enum(Object.keys(licenceUses) as [LicenceUse, ...LicenceUse[]]),
  territory: z.string(),
  months: z.nullable(z.int()),
  exclusive: z.boolean(),
  printRun: z.nullable(z.int()),
  licensee: z.string(),
})

/** A licence as it was sold, with the words of that day. */
export type SoldLicence = LicenceTerms & {
  readonly name: string
  readonly version: string
  readonly text: string
}

/** How a {@link SoldLicence} is kept. */
export const soldLicenceSchema: z.ZodMiniType<SoldLicence> = z.intersection(
  licenceTermsShape,
  z.object({ name: z.string(), version: z.string(), text: z.string() }),
)

const smallNumbers = ['no', 'one', 'two', 'three', 'four', 'five', 'six']

/** A term for people: “three years”, “18 months”, “no time limit”. */
export function termText(months: number | null): string {
  if (months === null) return 'no time limit'
  const [count, unit] = months % 12 === 0 ? [months / 12, 'year'] : [months, 'month']
  return `${smallNumbers[count] ?? count} ${unit}${count === 1 ? '' : 's'}`
}

/**
 * The terms in one line, the same on the product's page, in the cart, on the order and its documents:
 * “Advertising and marketing · Finland · one year · not exclusive · for one company, one brand”.
 */
export const termsLine = ({
  use,
  territory,
  months,
  exclusive,
  printRun,
  licensee,
}: LicenceTerms): string =>
  [
    licenceUses[use],
    territoryName(territory) ?? territory,
    termText(months),
    exclusive ? 'exclusive' : 'not exclusive',
    ...(printRun === null ? [] : [`up to ${printRun} copies`]),
    `for ${licensee}`,
  ].join(' · ')
