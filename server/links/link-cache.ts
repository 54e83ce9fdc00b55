import { destinationOf } from './destination.ts'
import type { Links } from './links.ts'
import type { Link } from './store.ts'
import { normalTarget, targetProblem } from './targets.ts'

/** A link made ready for being followed. */
export type CachedLink = {
  readonly link: Link
  /**
   * The headers of the reply where the request adds nothing, as a flat list for `writeHead`; null for
   * a target that must not be followed.
   */
  readonly head: readonly string[] | null
}

/** How long another process's change may go unseen, in milliseconds. */
const recheckAfterMs = 100
/** Links kept ready; about a kilobyte each. */
const mostCachedLinks = 10_000

/**
 * The links that are followed most, in memory. A change empties it: one of this process at once, one
 * of another, such as the command line, when SQLite's data version is next looked at.
 * @param head makes the reply's head for a destination
 */
export function createLinkCache(
  links: Pick<Links, 'find' | 'version' | 'edits' | 'ownHosts'>,
  head: (destination: string) => readonly string[],
) {
  // Two generations: the older one is dropped as a whole when the younger one is full. Taking single
  // entries out of a large Map would cost more than the reply.
  let young = new Map<string, CachedLink>()
  let old = new Map<string, CachedLink>()
  let version = links.version()
  let edits = links.edits()
  let checkedAt = performance.now()

  const keep = (code: string, cached: CachedLink) => {
    if (young.size >= mostCachedLinks / 2) {
      old = young
      young = new Map()
    }
    young.set(code, cached)
  }
  const forgetWhatChanged = () => {
    const now = performance.now()
    let changed = edits !== links.edits()
    if (now - checkedAt > recheckAfterMs) {
      checkedAt = now
      const current = links.version()
      changed ||= current !== version
      version = current
    }
    if (!changed) return
    edits = links.edits()
    young = new Map()
    old = new Map()
  }

  return {
    /** The link of a code, and whether it was in memory. */
    find(code: string): { cached: CachedLink; kept: boolean } | null {
      forgetWhatChanged()
      const key = code.toLowerCase()
      const known = young.get(key)
      if (known) return { cached: known, kept: true }
      const older = old.get(key)
      if (older) {
        keep(key, older)
        return { cached: older, kept: true }
      }
      const link = links.find(key)
      if (!link) return null
      const allowed = targetProblem(link.target, links.ownHosts()) === null
      const cached = {
        link,
        head: allowed ? head(destinationOf(normalTarget(link.target), link.utm, null)) : null,
      }
      keep(key, cached)
      return { cached, kept: false }
    },
  }
}

/** Makes {@link createLinkCache}' heads: everything but the destination is the same each time. */
export function redirectHeads(commonHeaders: Readonly<Record<string, string>>) {
  const shared = Object.entries({
    ...commonHeaders,
    'Cache-Control': 'no-store',
    'X-Robots-Tag': 'noindex',
    'Content-Length': '0',
  }).flat()
  return (destination: string): readonly string[] => {
    // Only what has been through the URL parser gets here, which leaves no line break.
    if (/[^\u0021-\u007e]/.test(destination)) throw new Error('A destination must be plain ASCII.')
    return [...shared, 'Location', destination]
  }
}
