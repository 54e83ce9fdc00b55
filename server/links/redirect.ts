import { stateOf } from '#shared/link-rules.ts'
import type { Platform } from '../feature.ts'
import type { EarlyReplies, EarlyHandler } from '../http/early-responses.ts'
import { createClickOf } from './click.ts'
import { destinationOf, normalTarget, targetProblem } from './targets.ts'
import type { Links } from './links.ts'
import type { Link } from './schema.ts'

const address = /^\/l\/([\w-]{2,64})(?:\?(.*))?$/s

/**
 * Follows short links ahead of the middleware, as cached pages leave: a 302, counted, with
 * a line in the log.
 * @returns a function that takes a GET or HEAD over when its address is a live link, and says
 *   whether it did; a promise for links with a maximum, whose click is on disk before it is granted
 */
export function createRedirect(
  { commit, clock, log }: Pick<Platform, 'commit' | 'clock' | 'log'>,
  links: Links,
  { headers, log: earlyLog }: Pick<EarlyReplies, 'headers' | 'log'>,
): EarlyHandler {
  const headFor = redirectHeads(headers)
  const linkCache = createLinkCache(links, headFor)
  const clickOf = createClickOf()

  return (request, response) => {
    const [, code, query] = address.exec(request.url ?? '') ?? []
    if (code === undefined) return false
    const found = linkCache.find(code)
    if (!found) return false
    const { link, head: plainHead } = found.cached
    const now = clock()
    // One with a password has a page that asks for it.
    if (plainHead === null || link.password !== null) return false
    const line = earlyLog(request, found.kept ? 'memory' : undefined)
    const head =
      query && link.forwardQuery ? headFor(destinationOf(link.target, link.utm, query)) : plainHead
    const click = clickOf(request.method, request.headers)
    const send = () => {
      response.writeHead(302, ['X-Request-Id', line.id, ...head]).end()
      line.write(302)
    }

    if (link.maxClicks === null) {
      if (stateOf(link, now) !== 'live') return false
      links.count(link.id, click)
      send()
      return true
    }
    if (!click.human) {
      const current = links.find(code)
      if (!current || stateOf(current, now) !== 'live') return false
      links.count(link.id, click)
      send()
      return true
    }
    return commit((tx) => links.spend(tx, link.id, now)).then(
      (granted) => {
        if (granted) {
          links.count(link.id, click, true)
          send()
        }
        return granted
      },
      (err: unknown) => {
        log.error({ err }, 'click not counted')
        return false
      },
    )
  }
}

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
const maxCachedLinks = 10_000

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
    if (young.size >= maxCachedLinks / 2) {
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

/** Creates the heads of {@link createLinkCache}, which differ only in their destination. */
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
