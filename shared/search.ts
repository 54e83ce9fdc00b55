import { paths } from './paths.ts'

/** Longest term, in characters; also the `maxLength` of the fields. */
export const maxTermLength = 100

const minTermLength = 2

/** Terms that are offered for a start (docs/contract.md, Search). */
export const popularSearches = [
  'Photography',
  'Videography',
  'Racing',
  'Portfolio',
  'Motorsport',
  'Media Services',
] as const

/** What a typed term is good for: nothing, a message, or a search. */
export type CheckedTerm =
  | { state: 'empty' }
  | { state: 'wrong'; message: string }
  | { state: 'good'; term: string }

/**
 * What a term must not contain (docs/contract.md, Search), each as far as its words go and no
 * further.
 */
const forbidden = [
  /<\s*(?:\/\s*)?script(?![\p{L}\p{N}])/iu,
  // A scheme begins where a word begins: `metadata:` is none of the two.
  /(?<![\p{L}\p{N}_])(?:javascript|data)\s*:/iu,
  // An attribute's name is one word, so `on board =` and `season=` are none.
  /(?<![\p{L}\p{N}_-])on[\p{L}\p{N}_]+\s*=/iu,
  /(?<![\p{L}\p{N}_$])eval\s*\(/iu,
]

/**
 * Signs that no one sees and that come along when text is copied: soft hyphens, spaces without width,
 * marks of direction. The joiners stay, since emoji and some languages are written with them.
 */
const invisible = /[\u00AD\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/g

/** Letters, digits and signs of full width, as Japanese keyboards give them. */
const fullWidth = /[\uFF01-\uFF5E]/g

/** A term as it is meant: in whole letters of the usual width, without what can't be seen. */
const asMeant = (typed: string): string =>
  typed
    .replaceAll(invisible, '')
    .replaceAll(fullWidth, (sign) => sign.normalize('NFKC'))
    .normalize('NFC')
    .trim()

/**
 * Checks a search term as docs/contract.md, Search, says, in the browser and again on the server.
 * @param typed as typed, entities decoded
 * @returns the term as it is meant, trimmed, or the message for the visitor
 */
export function checkTerm(typed: string): CheckedTerm {
  const term = asMeant(typed)
  const { length } = Array.from(term)
  if (length === 0) return { state: 'empty' }
  if (length < minTermLength) {
    return { state: 'wrong', message: `Search term must be at least ${minTermLength} characters` }
  }
  if (length > maxTermLength) {
    return {
      state: 'wrong',
      message: `Search term is too long (maximum ${maxTermLength} characters)`,
    }
  }
  if (forbidden.some((pattern) => pattern.test(term))) {
    return { state: 'wrong', message: 'Invalid search term' }
  }
  return { state: 'good', term }
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const signs: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(entities).map(([sign, entity]) => [entity, sign]),
)

/**
 * The address of a search: the term HTML-escaped, then URL-encoded (docs/contract.md, Search).
 * @param where one kind of results instead of all, and a page beyond the first
 */
export function searchHref(
  term: string,
  { type, page = 1 }: { type?: string | null; page?: number } = {},
): string {
  const escaped = term.trim().replaceAll(/[&<>"']/g, (sign) => entities[sign]!)
  return `${paths.search(escaped)}${type ? `&type=${encodeURIComponent(type)}` : ''}${page > 1 ? `&page=${page}` : ''}`
}

/**
 * Undoes the escaping of {@link searchHref}: the five entities, once (docs/contract.md, Search). A
 * term that was never escaped, such as `R&D`, stays as it is.
 */
export const decodeTerm = (given: string): string =>
  given.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => signs[entity]!)
