import { STATUS_CODES, type ServerResponse } from 'node:http'

/** The head of a reply that is sent many times, put together once. */
export type ReadyHead = {
  readonly status: number
  /** Flat list of names and values, for `writeHead`. */
  readonly list: readonly string[]
  /** Status line and headers as they go over the wire, up to the value of the request id. */
  readonly text: string
}

/** Makes a head from headers that are complete but for Date, Connection and the request id. */
export function readyHead(status: number, headers: Readonly<Record<string, string>>): ReadyHead {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  if (lines.some((line) => /[\r\n]/.test(line.slice(0, -2)))) {
    throw new Error('A header must not contain a line break.')
  }
  return {
    status,
    list: Object.entries(headers).flat(),
    text: `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}X-Request-Id: `,
  }
}

/** A ready head with one header more, whose value the caller knows to be free of line breaks. */
export function withHeader({ status, list, text }: ReadyHead, name: string, value: string) {
  const statusLine = text.indexOf('\n') + 1
  return {
    status,
    list: [...list, name, value],
    text: `${text.slice(0, statusLine)}${name}: ${value}\r\n${text.slice(statusLine)}`,
  } satisfies ReadyHead
}

/** The part of Node's outgoing message that holds the finished head; not documented. */
type Internals = { _header?: string | null; shouldKeepAlive?: boolean }

/**
 * Sends a ready head with the request's id. `writeHead` checks and joins twenty headers anew for
 * every reply, which costs a quarter of a finished page's time; so a plain keep-alive reply gets
 * its head where Node keeps the one that `writeHead` makes (docs/decisions/0007). Everything
 * else, and a Node that keeps it elsewhere, goes the ordinary way.
 */
export function sendHead(response: ServerResponse, { status, list, text }: ReadyHead, id: string) {
  const internals = response as ServerResponse & Internals
  const { req } = response
  // Without shouldKeepAlive the client has asked for the connection to be closed.
  if (internals._header === null && internals.shouldKeepAlive && req.httpVersion === '1.1') {
    response.statusCode = status
    internals._header = text + id + endOfHead(keepAliveMs(response))
    return
  }
  response.writeHead(status, ['X-Request-Id', id, ...list])
}

/** How long the server keeps an idle connection, which the Keep-Alive header tells. */
function keepAliveMs({ socket }: ServerResponse): number {
  const { server } = socket as unknown as { server?: { keepAliveTimeout?: number } }
  return server?.keepAliveTimeout ?? 5000
}

let second = 0
let idleMs = 0
let end = ''

/** The last headers of a reply on a connection that stays open; they change once a second. */
function endOfHead(keepAlive: number): string {
  const now = Math.floor(Date.now() / 1000)
  if (now !== second || keepAlive !== idleMs) {
    second = now
    idleMs = keepAlive
    end = `\r\nDate: ${new Date(now * 1000).toUTCString()}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAlive / 1000)}\r\n\r\n`
  }
  return end
}
