import type { IncomingMessage, ServerResponse } from 'node:http'
import { stateOf } from '#shared/link-rules.ts'
import type { Context } from '../context.ts'
import { sendHead, type ReadyHead } from '../http/ready-head.ts'
import { loggedPath, millisecondsSince, network, nextId } from '../http/request-context.ts'
import { createClickOf } from './click.ts'
import { destinationOf } from './destination.ts'
import { createHotLinks, redirectHeads } from './hot-links.ts'

const address = /^\/l\/([\w-]{2,64})(?:\?(.*))?$/s

/**
 * Follows short links ahead of the middleware, as finished pages leave (app.ts): a 302, counted,
 * with a line in the log.
 * @returns a function that takes a GET or HEAD over when its address is a live link, and says
 *   whether it did; a promise for links with a maximum, whose click is on disk before it is granted
 */
export function createRedirect(
  {
    links,
    commit,
    clock,
    access,
    log,
  }: Pick<Context, 'links' | 'commit' | 'clock' | 'access' | 'log'>,
  commonHeaders: Readonly<Record<string, string>>,
) {
  const headFor = redirectHeads(commonHeaders)
  const hotLinks = createHotLinks(links, headFor)
  const clickOf = createClickOf()

  const send = (
    request: IncomingMessage,
    response: ServerResponse,
    { head, started, from }: { head: ReadyHead; started: number; from?: 'memory' | undefined },
  ) => {
    const { method = 'GET', url = '/' } = request
    const id = nextId()
    sendHead(response, head, id)
    response.end()
    access({
      id,
      method,
      path: loggedPath(url),
      status: 302,
      ms: millisecondsSince(started),
      net: network(request.socket.remoteAddress ?? ''),
      ...(from && { from }),
    })
  }

  return (request: IncomingMessage, response: ServerResponse): boolean | Promise<boolean> => {
    const [, code, query] = address.exec(request.url ?? '') ?? []
    if (code === undefined) return false
    const started = performance.now()
    const found = hotLinks.find(code)
    if (!found) return false
    const { link, head: plainHead } = found.hot
    const now = clock()
    if (plainHead === null) return false
    const head =
      query && link.forwardQuery ? headFor(destinationOf(link.target, link.utm, query)) : plainHead
    const click = clickOf(request.method, request.headers)
    const from = found.kept ? 'memory' : undefined

    if (link.maxClicks === null) {
      if (stateOf(link, now) !== 'live') return false
      links.count(link.id, click)
      send(request, response, { head, started, from })
      return true
    }
    if (!click.human) {
      const current = links.find(code)
      if (!current || stateOf(current, now) !== 'live') return false
      links.count(link.id, click)
      send(request, response, { head, started })
      return true
    }
    return commit((tx) => links.spend(tx, link.id, now)).then(
      (granted) => {
        if (granted) {
          links.count(link.id, click, true)
          send(request, response, { head, started })
        }
        return granted
      },
      (err: unknown) => {
        log.error({ err }, 'a click could not be written down')
        return false
      },
    )
  }
}
