import {
  STATUS_CODES,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import type { Unanswered } from './unanswered.ts'

/** The status of what Node cannot read, by its code; 400 for every other one. */
const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** What answers in Node's place. */
export type Refusals = {
  /** Puts in front of a listener what is no request without a Host (RFC 9112, 3.2). */
  guard(listener: RequestListener): RequestListener
  /** Answers on a server what is malformed, too large, too slow, or expects too much. */
  answer(server: Server): void
}

/**
 * Makes the replies to what never becomes a request of ours: as Node gives them, but with the headers
 * that all our replies have.
 * @param headers of every reply
 * @param unanswered what the connections wait for, which all requests are noted in
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
      const isNamed = request.headers.host !== undefined || request.httpVersion !== '1.1'
      if (isNamed) listener(request, response)
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
