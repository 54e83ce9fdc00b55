/**
 * The one spelling of a path: dot segments resolved, no empty segments, no slash at its end, and
 * percent-encoding only where RFC 3986 (3.3) wants it, in capitals.
 * @param path of a request target, as it came over the wire; begins with a slash
 * @returns null when its percent-encoding is no UTF-8
 */
export function canonicalPath(path: string): string | null {
  // Node gives the bytes of a target as Latin-1 characters; some clients send UTF-8 as it is.
  const ascii = path.replaceAll(/[^\u0021-\u007e]/g, percentEncoded)
  const url = URL.parse(`http://localhost${ascii}`)
  if (!url) return null
  const segments = url.pathname.split('/').filter((segment) => segment !== '')
  try {
    return `/${segments.map(canonicalSegment).join('/')}`
  } catch {
    return null
  }
}

const percentEncoded = (byte: string) =>
  `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`

/** What may stand in a segment as it is, beside what `encodeURIComponent` leaves alone. */
const allowed = /%(?:24|26|2B|2C|3A|3B|3D|40)/g

const canonicalSegment = (segment: string) =>
  encodeURIComponent(decodeURIComponent(segment)).replaceAll(allowed, decodeURIComponent)

/** A query by what a page depends on. */
export type CanonicalQuery = {
  /** What the page depends on, in the one spelling; empty where that is nothing. */
  canonical: string
  /** False when it was spelled otherwise. */
  isCanonical: boolean
  /** What the page does not depend on, such as campaign names, letter by letter. */
  rest: string
}

/**
 * Reads a query: each name that counts once, sorted, the first page of a list left out.
 * @param query of a request target, without the question mark
 * @param names that the page depends on; `page` is the number of a list's page
 */
export function canonicalQuery(query: string, names: readonly string[]): CanonicalQuery {
  const parts = query.split('&').filter((part) => part !== '')
  // The ampersand keeps a question mark at the start, which would be taken away.
  const pairs = [...new URLSearchParams(`&${query}`)]
  const values = new Map<string, string>()
  const counted: string[] = []
  const rest: string[] = []
  for (const [index, [name, value]] of pairs.entries()) {
    const part = parts[index]!
    if (!names.includes(name)) {
      rest.push(part)
      continue
    }
    counted.push(part)
    if (!values.has(name)) values.set(name, name === 'page' ? pageNumber(value) : value)
  }
  if (values.get('page') === '1') values.delete('page')
  const sorted = [...values].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const canonical = new URLSearchParams(sorted).toString()
  return { canonical, isCanonical: counted.join('&') === canonical, rest: rest.join('&') }
}

/** A number without zeros in front; what is no number stays, and is no page. */
const pageNumber = (value: string) => value.replace(/^0+(?=[1-9]\d{0,5}$)/, '')

/** An address from its parts. */
export const withQuery = (path: string, ...queries: readonly string[]): string => {
  const query = queries.filter((each) => each !== '').join('&')
  return query ? `${path}?${query}` : path
}
