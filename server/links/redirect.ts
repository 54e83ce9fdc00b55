import { stateOf } from '#shared/link-rules.ts'
import type { Platform } from '../feature.ts'
import type { EarlyReplies, TakeEarly } from '../http/early-responses.ts'
import { createClickOf } from './click.ts'
import { destinationOf } from './destination.ts'
import { createLinkCache, redirectHeads } from './link-cache.ts'
import type { Links } from './links.ts'

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
): TakeEarly {
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
    if (plainHead === null) return false
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
