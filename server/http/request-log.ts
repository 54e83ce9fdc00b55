import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { AccessLog } from '../logging/log.ts'
import type { PrivatePaths } from '../logging/private-paths.ts'
import { canonicalPath } from './canonical-address.ts'
import { clientNetwork, type ClientAddress } from './connections/client-address.ts'

const prefix = randomBytes(4).toString('hex')
let count = 0

/** A request id: unique in this process by its number, among processes by its random start. */
export const nextId = () => `${prefix}-${(count++).toString(36)}`

/** Characters of a path that the log keeps. */
const maxPathLength = 300

/** Cached results of {@link LoggedPath}. */
const maxShownPaths = 500

/**
 * The path of an address for the log: no query, redacted, and only printable ASCII, since terminals
 * act on other bytes; without quotes and backslashes, so that it is JSON as it is.
 */
export type LoggedPath = (url: string) => string

/** Creates a {@link LoggedPath}, cached because the same few addresses keep coming back. */
export function createLoggedPath(privatePaths: PrivatePaths): LoggedPath {
  const shownPaths = new Map<string, string>()
  return (url) => {
    let shown = shownPaths.get(url)
    if (shown === undefined) {
      shown = shownPath(url, privatePaths)
      if (shownPaths.size >= maxShownPaths) shownPaths.clear()
      shownPaths.set(url, shown)
    }
    return shown
  }
}

function shownPath(url: string, { maskPath }: PrivatePaths): string {
  const query = url.indexOf('?')
  const path = maskPath(plainSpelling(query < 0 ? url : url.slice(0, query)))
  const short = path.length > maxPathLength ? `${path.slice(0, maxPathLength)}…` : path
  return short.replaceAll(/["\\]|[^\u0021-\u007e…]/g, (sign) => encodeURIComponent(sign))
}

/** Milliseconds since a reading of `performance.now()`, to two decimals. */
export const millisecondsSince = (started: number) =>
  Math.round((performance.now() - started) * 100) / 100

/**
 * Starts the log line of a request that is answered ahead of the middleware.
 * @param from where the answer comes from, if worth logging
 * @returns the request's id, and `write` for when the answer is on its way
 */
export type EarlyLog = (
  request: IncomingMessage,
  from?: 'memory',
) => { id: string; write(status: number): void }

/** Creates an {@link EarlyLog}; its lines are the same as the request context's. */
export function createEarlyLog({
  accessLog,
  clientAddress,
  loggedPath,
}: {
  accessLog: AccessLog
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
        accessLog({
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

/** A path as its route reads it, so no other spelling hides a secret from the mask. */
const plainSpelling = (path: string): string =>
  /%|\/[/.]|\\/.test(path) ? (canonicalPath(path) ?? path) : path
