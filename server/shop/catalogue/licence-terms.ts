import { failure } from '#shared/failures.ts'
import { licenceTexts } from '#shared/shop/licence-texts.ts'
import {
  termsLine,
  termText,
  territoryName,
  type LicenceTerms,
  type SoldLicence,
} from '#shared/shop/licences.ts'
import type { ProductFile } from './product-file.ts'
import type { Product, Variant } from './product.ts'

/** What a variant says of its licence; what is left out is as its kind has it. */
export type VariantLicence = Partial<LicenceTerms>

/**
 * The terms that a variant sells.
 * @param name of the kind; null for a product without a licence
 * @returns null where there is none, or where the variant leaves open what its kind does not say
 */
export function termsOf(name: string | null, said: VariantLicence | null): LicenceTerms | null {
  const kind = name === null ? undefined : licenceTexts[name]
  if (!kind) return null
  const isUsual = kind.defaultLicensee !== null
  const territory = said?.territory ?? (isUsual ? 'worldwide' : null)
  const months = said?.months === undefined ? (isUsual ? null : undefined) : said.months
  const licensee = said?.licensee ?? kind.defaultLicensee
  if (territory === null || months === undefined || licensee === null) return null
  return {
    use: said?.use ?? kind.uses[0],
    territory,
    months,
    exclusive: said?.exclusive ?? kind.isExclusive,
    printRun: said?.printRun ?? null,
    licensee,
  }
}

/** The licence that comes with a variant, as it is sold now; null for none. */
export function soldLicence(
  { licence }: Pick<Product, 'licence'>,
  { licence: said }: Pick<Variant, 'licence'>,
): SoldLicence | null {
  const terms = termsOf(licence, said)
  const kind = licence === null ? undefined : licenceTexts[licence]
  return terms && kind
    ? { ...terms, name: kind.name, version: kind.version, text: kind.text }
    : null
}

/** What a variant's licence allows, in one line; nothing for a variant without one. */
export function licenceLine(
  product: Pick<Product, 'licence'>,
  variant: Pick<Variant, 'licence'>,
): { licence?: string } {
  const licence = soldLicence(product, variant)
  return licence ? { licence: termsLine(licence) } : {}
}

/**
 * Refuses a product whose words, licence and variants contradict each other.
 * @param description rich text of the product
 * @throws invalid with every contradiction and its place
 */
export function checkLicences(file: ProductFile, description: string): void {
  const problems = licenceProblems(file, description)
  if (problems.length > 0) throw failure('invalid', { message: problems.join('\n') })
}

/** What of a product contradicts its licence; see {@link checkLicences}. */
export function licenceProblems(file: ProductFile, description: string): string[] {
  const { licence = null, kind, variants } = file
  if (licence === null) {
    return variants.flatMap(({ licence: said }, at) =>
      said ? [`variants.${at}.licence: the product has no licence`] : [],
    )
  }
  const text = licenceTexts[licence]
  if (!text) {
    return [`licence: unknown licence ${licence}; use ${Object.keys(licenceTexts).join(', ')}`]
  }
  if (kind !== 'digital') return ['licence: only digital products can have one']
  const all = variants.map(({ licence: said }) => termsOf(licence, said ?? null))
  const problems = variants.flatMap(({ licence: said, title, stock }, at) => {
    const place = `variants.${at}.licence`
    const terms = all[at]!
    if (!terms) {
      return [`${place}: a ${text.name.toLowerCase()} needs territory, months and licensee`]
    }
    return [
      ...(text.uses.includes(terms.use)
        ? []
        : [`${place}.use: a ${text.name.toLowerCase()} is for ${text.uses.join(' or ')}`]),
      ...(terms.exclusive === text.isExclusive
        ? []
        : [
            `${place}.exclusive: a ${text.name.toLowerCase()} ${text.isExclusive ? 'is' : 'is not'} exclusive`,
          ]),
      ...(territoryName(terms.territory) === null
        ? [`${place}.territory: unknown territory ${terms.territory}`]
        : []),
      ...(text.defaultLicensee !== null && (said?.territory ?? said?.months ?? said?.printRun)
        ? [`${place}: a ${text.name.toLowerCase()} is worldwide and has no time limit`]
        : []),
      ...(terms.exclusive && (stock === null || (stock ?? 0) > 1)
        ? [`variants.${at}.stock: an exclusive licence can be sold once`]
        : []),
      ...contradictions(title, [terms]).map((problem) => `variants.${at}.title: ${problem}`),
    ]
  })
  const exclusive = all.filter((terms) => terms?.exclusive).length
  const known = all.filter((terms) => terms !== null)
  if (known.length < all.length) return problems
  return [
    ...problems,
    ...(exclusive > 1 ? ['variants: an exclusive licence has one variant'] : []),
    ...contradictions(file.summary, known).map((problem) => `summary: ${problem}`),
    ...contradictions(description.replaceAll(/<[^<>]*>/g, ' '), known).map(
      (problem) => `description: ${problem}`,
    ),
  ]
}

const numbers: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  ten: 10,
  twelve: 12,
  eighteen: 18,
}

const places: readonly (readonly [RegExp, string])[] = [
  [/\bworld-?wide\b/i, 'worldwide'],
  [/\bEuropean Union\b|\bEU\b/, 'eu'],
  [/\bEurope\b/, 'europe'],
  [/\bNordic\b/i, 'nordics'],
  [/\bFinland\b/, 'FI'],
]

/** What words promise that none of some terms keeps. */
function contradictions(words: string, terms: readonly LicenceTerms[]): string[] {
  const found: string[] = []
  const term = /\b(\d{1,3}|[a-z]+)[ -](month|year)s?\b/gi
  for (const [, count = '', unit = ''] of words.matchAll(term)) {
    const number = numbers[count.toLowerCase()] ?? Number(count)
    if (!Number.isInteger(number)) continue
    const months = unit.toLowerCase() === 'year' ? number * 12 : number
    if (!terms.some((each) => each.months === months)) {
      const sold = terms.map((each) => termText(each.months)).join(', ')
      found.push(
        `it says ${count} ${unit}${number === 1 ? '' : 's'}, but the licence is for ${sold}`,
      )
    }
  }
  for (const [pattern, territory] of places) {
    if (pattern.test(words) && !terms.some((each) => each.territory === territory)) {
      const sold = terms.map((each) => territoryName(each.territory)).join(', ')
      found.push(`it says ${territoryName(territory)}, but the licence is for ${sold}`)
    }
  }
  const withoutDenials = words.replaceAll(/\bnot exclusive\b|\bnon-?exclusive\b/gi, '')
  if (/\bexclusive\b/i.test(withoutDenials) && !terms.some(({ exclusive }) => exclusive)) {
    found.push('it says exclusive, but the licence isn’t')
  }
  return found
}
