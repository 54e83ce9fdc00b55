/**
 * The canonical spelling of a path: dot segments resolved, no empty segments, no trailing slash, and
 * percent-encoding only where RFC 3986 (3.3) requires it, in capitals.
 * @param path from a request target, starting with a slash
 * @returns null if its percent-encoding isn't UTF-8
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

/** Characters allowed in a segment besides those that `encodeURIComponent` leaves alone. */
const allowed = /%(?:24|26|2B|2C|3A|3B|3D|40)/g

const canonicalSegment = (segment: string) =>
  encodeURIComponent(decodeURIComponent(segment)).replaceAll(allowed, decodeURIComponent)

/** A query split by what a page depends on. */
export type CanonicalQuery = {
  /** The canonical query of what the page depends on; may be empty. */
  canonical: string
  /** Whether the query was spelled like that. */
  isCanonical: boolean
  /** Everything else, such as campaign names, verbatim. */
  rest: string
}

/**
 * Splits a query. Canonical means each name once, sorted, without `page=1`.
 * @param query of a request target, without the question mark
 * @param names that the page depends on; `page` is the number of a list's page
 */
export function canonicalQuery(query: string, names: readonly string[]): CanonicalQuery {
  const parts = query.split('&').filter((part) => part !== '')
  // The ampersand keeps a leading question mark, which would be dropped.
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

/** Without leading zeros; anything but a number stays as it is. */
const pageNumber = (value: string) => value.replace(/^0+(?=[1-9]\d{0,5}$)/, '')

/** Joins a path and queries. */
export const withQuery = (path: string, ...queries: readonly string[]): string => {
  const query = queries.filter((each) => each !== '').join('&')
  return query ? `${path}?${query}` : path
}
