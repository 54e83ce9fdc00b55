/** Masks secrets in paths, which features declare as {@link Feature.privatePaths}. */
export type PrivatePaths = {
  /** Masks secrets in any text with addresses. */
  maskText(text: string): string
  /** Masks secrets and random keys in a path. Names of built files stay. */
  maskPath(path: string): string
}

/**
 * Creates the mask for path segments that are secrets, such as those of a folder or an order: four
 * characters stay. Case-insensitive.
 * @param read returns the prefixes of such paths; the same array while they don't change
 */
export function createPrivatePaths(read: () => readonly string[]): PrivatePaths {
  let beginnings: readonly string[] = []
  let secret: RegExp | null = null
  const maskText = (text: string) => {
    const now = read()
    if (now !== beginnings) {
      beginnings = now
      secret = secretAfter(now)
    }
    return secret === null ? text : text.replaceAll(secret, '$1$2…')
  }
  return {
    maskText,
    maskPath: (path) => (isBuilt(path) ? path : withoutKeys(maskText(path))),
  }
}

/** Of nested prefixes the longest counts. */
function secretAfter(beginnings: readonly string[]): RegExp | null {
  if (beginnings.length === 0) return null
  const alternatives = beginnings.toSorted((a, b) => b.length - a.length).map(RegExp.escape)
  const segment = String.raw`([^/\s"'\\?#]{1,4})[^/\s"'\\?#]*`
  return new RegExp(`(${alternatives.join('|')})${segment}`, 'gi')
}

/** A run of characters long enough for a random key; see {@link isRandom}. */
const run = /[\w-]{20,}/g

/** Ordinary words don't mix capitals, small letters and digits. */
const isRandom = (text: string) => /[A-Z]/.test(text) && /[a-z]/.test(text) && /\d/.test(text)

/** The hashes in names of built files aren't secrets. */
const isBuilt = (path: string) => path.startsWith('/assets/')

/** Masks anything that looks like a random key. */
const withoutKeys = (text: string): string =>
  text.replaceAll(run, (found) => (isRandom(found) ? `${found.slice(0, 4)}…` : found))
