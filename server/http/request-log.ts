import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { AccessLog } from '../log/access-log.ts'
import type { PrivatePaths } from '../log/private-paths.ts'
import { canonicalPath } from './canonical-address.ts'
import { clientNetwork, type ClientAddress } from './client-address.ts'

const prefix = randomBytes(4).toString('hex')
let count = 0

/** A request id: unique in this process by its number, among processes by its random start. */
export const nextId = () => `${prefix}-${(count++).toString(36)}`

/** Most characters of a path that the log keeps. */
const longestPath = 300

/** Most addresses of which it is kept how the log shows them. */
const mostShownPaths = 500

/**
 * The path of an address as the log may show it: without the query, without what opens private
 * pages, and with nothing but printable ASCII, since a terminal may obey other bytes.
 */
export type LoggedPath = (url: string) => string

/** Makes a {@link LoggedPath}; requests for the same few addresses come again and again. */
export function createLoggedPath(privatePaths: PrivatePaths): LoggedPath {
  const shownPaths = new Map<string, string>()
  return (url) => {
    let shown = shownPaths.get(url)
    if (shown === undefined) {
      shown = shownPath(url, privatePaths)
      if (shownPaths.size >= mostShownPaths) shownPaths.clear()
      shownPaths.set(url, shown)
    }
    return shown
  }
}

function shownPath(url: string, { maskPath }: PrivatePaths): string {
  const query = url.indexOf('?')
  const path = maskPath(plainSpelling(query < 0 ? url : url.slice(0, query)))
  const short = path.length > longestPath ? `${path.slice(0, longestPath)}…` : path
  return short.replaceAll(/[^\u0021-\u007e…]/g, (sign) => encodeURIComponent(sign))
}

/** Milliseconds since a reading of `performance.now()`, to two decimals. */
export const millisecondsSince = (started: number) =>
  Math.round((performance.now() - started) * 100) / 100

/**
 * Begins the log line of a request that is answered ahead of the middleware.
 * @param from where the answer comes from, if that is worth a word
 * @returns the request's id, and what writes the line when the answer is on its way
 */
export type EarlyLog = (
  request: IncomingMessage,
  from?: 'memory',
) => { id: string; write(status: number): void }

/** Makes an {@link EarlyLog} that writes the very lines of the request context. */
export function createEarlyLog({
  access,
  clientAddress,
  loggedPath,
}: {
  access: AccessLog
  clientAddress: ClientAddress
  loggedPath: LoggedPath
}): EarlyLog {
  return (request, from) => {
    const started = performance.now()
    const id = nextId()
    return {
      id,
      write(status) {
        const { method = 'GET', url = '/' } = request
        access({
          id,
          method,
          path: loggedPath(url),
          status,
          ms: millisecondsSince(started),
          net: clientNetwork(clientAddress(request)),
          ...(from && { from }),
        })
      },
    }
  }
}

/** A path as its route reads it, so that no other spelling hides what opens a private page. */
const plainSpelling = (path: string): string =>
  /%|\/[/.]|\\/.test(path) ? (canonicalPath(path) ?? path) : path
