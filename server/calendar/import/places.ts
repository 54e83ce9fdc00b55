import { countryName } from '#shared/shop/countries.ts'

/** Where an event is, in the fields of an event. */
export type Place = { venue?: string; city?: string; country?: string }

/** How organisers write countries beside their English names. */
const otherNames: Readonly<Record<string, string>> = {
  uk: 'GB',
  'great britain': 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  'northern ireland': 'GB',
  usa: 'US',
  'u.s.a.': 'US',
  'united states of america': 'US',
  uae: 'AE',
  'czech republic': 'CZ',
  holland: 'NL',
  'the netherlands': 'NL',
  'south korea': 'KR',
}

/** Languages in which organisers nearby write the names of countries. */
const languages = ['en', 'fi', 'sv', 'et', 'de', 'fr', 'es', 'it']

let codes: ReadonlyMap<string, string> | null = null

/** Countries by their names in some languages, made with the first import: it takes a moment. */
function knownCodes(): ReadonlyMap<string, string> {
  if (codes) return codes
  const found = new Map<string, string>()
  const names = languages.map(
    (language) => new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }),
  )
  const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')
  for (const code of letters.flatMap((first) => letters.map((second) => first + second))) {
    // Regions that aren't countries, or name one that is gone.
    if (['EU', 'EZ', 'UN', 'ZZ', 'XA', 'XB', 'QO'].includes(code)) continue
    for (const each of names) {
      const name = each.of(code)?.toLowerCase()
      if (name && !found.has(name)) found.set(name, code)
    }
  }
  for (const [name, code] of Object.entries(otherNames)) found.set(name, code)
  return (codes = found)
}

/** The code of a country (ISO 3166-1 alpha-2) by its name or one of its codes; null for anything else. */
export function countryCode(name: string): string | null {
  const found = knownCodes().get(name.trim().toLowerCase())
  if (found) return found
  const isCode = /^[A-Z]{2}$/.test(name.trim()) && countryName(name.trim()) !== undefined
  return isCode ? name.trim() : null
}

const street = /\d|\b(?:street|road|avenue|straße|strasse)\b|(?:katu|tie|vägen|gatan)\b/i
const postcode = /^(?:[A-Z]{1,2}-?)?\d{3,5}(?: ?\d{2}| ?[A-Z]{2})?\s+(\p{L}.*)$/u
/** A state of America, or a postcode behind a town. */
const region = /^[A-Z]{2}(?: \d{5})?$/

/**
 * Splits a location into venue, city and country: `Kymiring, Kausantie 1, 47450 Iitti, Finland`. A
 * country is one only where it is known as such, under its English name; streets and states are left
 * out, a postcode tells the city.
 */
export function placeOf(location: string): Place {
  const parts = location
    .split(/[,;\n]|\s[-–|]\s/)
    .map((part) => part.replaceAll(/\s+/g, ' ').trim())
    .filter((part) => part !== '')
  const last = parts.at(-1)
  const code = last === undefined ? null : countryCode(last)
  const rest = code === null ? parts : parts.slice(0, -1)
  const country = code === null ? null : (countryName(code) ?? last!)
  const ofPostcode = rest.map((part) => postcode.exec(part)?.[1]).find(Boolean) ?? null
  const named = rest.filter(
    (part, at) => (at === 0 || !street.test(part)) && !(at > 0 && region.test(part)),
  )
  const [first] = named
  // One name beside a country is that of a town; by itself, or with a postcode, it is a venue.
  const isTown = named.length === 1 && code !== null && ofPostcode === null
  const city = ofPostcode ?? (isTown ? first : named.length > 1 ? named.at(-1) : null)
  const venue = isTown ? null : first
  // Without a known country the last of three parts is most likely one.
  if (code === null && ofPostcode === null && named.length >= 3) {
    return { venue: first!, city: named.at(-2)!, country: named.at(-1)! }
  }
  return {
    ...(venue && venue !== city && { venue }),
    ...(city && { city }),
    ...(country && { country }),
  }
}
