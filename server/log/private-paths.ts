/** What of paths and texts the log may not show; features say it as {@link Feature.privatePaths}. */
export type PrivatePaths = {
  /** A text with addresses in it, without what opens something. */
  maskText(text: string): string
  /** A path without what opens something, and without random keys. Names of built files stay whole. */
  maskPath(path: string): string
}

/**
 * Makes what cuts from addresses the segment that opens something by itself, such as a folder or an
 * order: four of its characters stay. Addresses may be written in either case.
 * @param read the beginnings of such addresses; asked each time, and the same array while they are
 *   the same
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

/** The longest beginning counts where one is part of another. */
function secretAfter(beginnings: readonly string[]): RegExp | null {
  if (beginnings.length === 0) return null
  const alternatives = beginnings.toSorted((a, b) => b.length - a.length).map(RegExp.escape)
  const segment = String.raw`([^/\s"'\\?#]{1,4})[^/\s"'\\?#]*`
  return new RegExp(`(${alternatives.join('|')})${segment}`, 'gi')
}

/** A run of characters long enough for a random key; see {@link isRandom}. */
const run = /[\w-]{20,}/g

/** Words of an address are not written in capitals, small letters and digits at once. */
const isRandom = (text: string) => /[A-Z]/.test(text) && /[a-z]/.test(text) && /\d/.test(text)

/** Names of built files have a random part that is no secret. */
const isBuilt = (path: string) => path.startsWith('/assets/')

/** Whatever the address around it, a random key is not written down. */
const withoutKeys = (text: string): string =>
  text.replaceAll(run, (found) => (isRandom(found) ? `${found.slice(0, 4)}…` : found))
