import { readyHead, type ReadyHead } from '../http/ready-head.ts'
import { destinationOf } from './destination.ts'
import type { Links } from './links.ts'
import type { Link } from './store.ts'
import { normalTarget, targetProblem } from './targets.ts'

/** A link made ready for being followed. */
export type HotLink = {
  readonly link: Link
  /** The reply where the request adds nothing; null for a target that must not be followed. */
  readonly head: ReadyHead | null
}

/** How long another process's change may go unseen, in milliseconds. */
const patience = 100
/** Links kept ready; about a kilobyte each. */
const most = 10_000

/**
 * The links that are followed most, in memory. A change empties it: one of this process at once, one
 * of another, such as the command line, when SQLite's data version is next looked at.
 * @param head makes the reply's head for a destination
 */
export function createHotLinks(
  links: Pick<Links, 'find' | 'version' | 'edits' | 'ownHosts'>,
  head: (destination: string) => ReadyHead,
) {
  const kept = new Map<string, HotLink>()
  let version = links.version()
  let edits = links.edits()
  let checkedAt = performance.now()

  return {
    /** The link of a code, and whether it was in memory. */
    find(code: string): { hot: HotLink; kept: boolean } | null {
      const now = performance.now()
      if (now - checkedAt > patience) {
        checkedAt = now
        const current = links.version()
        if (current !== version) kept.clear()
        version = current
      }
      if (edits !== links.edits()) {
        edits = links.edits()
        kept.clear()
      }
      const key = code.toLowerCase()
      const known = kept.get(key)
      if (known) {
        // The end of the queue is for those that were just followed; a short queue needs no order.
        if (kept.size > most / 2) {
          kept.delete(key)
          kept.set(key, known)
        }
        return { hot: known, kept: true }
      }
      const link = links.find(key)
      if (!link) return null
      const allowed = targetProblem(link.target, links.ownHosts) === null
      const hot = {
        link,
        head: allowed ? head(destinationOf(normalTarget(link.target), link.utm, null)) : null,
      }
      if (kept.size >= most) for (const oldest of kept.keys()) if (kept.delete(oldest)) break
      kept.set(key, hot)
      return { hot, kept: false }
    },
  }
}

/** Makes {@link createHotLinks}' heads: everything but the destination is the same each time. */
export function redirectHeads(commonHeaders: Readonly<Record<string, string>>) {
  const shared = readyHead(302, {
    ...commonHeaders,
    'Cache-Control': 'no-store',
    'X-Robots-Tag': 'noindex',
    'Content-Length': '0',
  })
  return (destination: string): ReadyHead => {
    // Only what has been through the URL parser gets here, which leaves no line break.
    if (/[^\u0021-\u007e]/.test(destination)) throw new Error('A destination must be plain ASCII.')
    return {
      status: shared.status,
      list: [...shared.list, 'Location', destination],
      text: `${shared.text}Location: ${destination}\r\n`,
    }
  }
}
