import {
  STATUS_CODES,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import type { Unanswered } from './connection-limits.ts'

/** The status for what Node can't parse, by error code; 400 for all others. */
const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** Replies to malformed requests, in place of Node's own. */
export type Refusals = {
  /** Refuses requests without a Host or with two (RFC 9112, 3.2) before they reach a listener. */
  guard(listener: RequestListener): RequestListener
  /** Answers requests that are malformed, too large, too slow, or have an unknown Expect. */
  answer(server: Server): void
}

/**
 * Creates the replies: like Node's, but with our common headers.
 * @param headers of every reply
 */
export function createRefusals(
  headers: Readonly<Record<string, string>>,
  unanswered: Unanswered,
): Refusals {
  const refusal = { ...headers, 'Cache-Control': 'no-store', 'Content-Length': '0' }
  const head = (status: number) =>
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      ...Object.entries({ ...refusal, Connection: 'close' }).map(
        ([name, value]) => `${name}: ${value}`,
      ),
      '\r\n',
    ].join('\r\n')

  return {
    guard: (listener) => (request, response) => {
      const hosts = hostsIn(request.rawHeaders)
      if (hosts === 1 || (hosts === 0 && request.httpVersion !== '1.1')) listener(request, response)
      else response.writeHead(400, { ...refusal, Connection: 'close' }).end()
    },
    answer(server) {
      server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
        unanswered.add(request.socket, response)
        response.writeHead(417, refusal).end()
      })
      server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket: Socket) => {
        if (!socket.writable || !unanswered.isQuiet(socket)) {
          socket.destroy()
          return
        }
        socket.write(head(statuses[code] ?? 400))
        socket.destroySoon()
      })
    },
  }
}

/** The number of Host headers; names and values alternate. */
function hostsIn(rawHeaders: readonly string[]): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count
}
