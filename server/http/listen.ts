import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { StartError } from '../start-error.ts'
import { isTooLarge } from './body-limit.ts'
import { inBatches } from './batches.ts'
import { createClientAddress, createProxyCheck } from './client-address.ts'
import { cutFloods, cutStalled, limitPerClient } from './connection-limits.ts'
import { commonHeaders } from './guards.ts'
import { createRefusals } from './refusals.ts'
import { createUnanswered } from './unanswered.ts'

/** A server that is listening. */
export type Listening = {
  readonly port: number
  readonly server: Server
  /** Stops accepting, lets requests in flight finish, cuts what is left after `graceMs`. Twice is harmless. */
  close(graceMs?: number): Promise<void>
}

/** How long a connection may keep the server waiting, in milliseconds. */
export type ConnectionTimeouts = {
  /** Until the head of a request is there. */
  headers: number
  /** Until the whole request is there. */
  request: number
  /** Between two requests. */
  idle: number
  /** While neither side gets a byte further, such as a client that does not read an answer. */
  stalled: number
}

/** What holds where nothing else is asked for; every one of them cuts within a minute. */
export const usualTimeouts: ConnectionTimeouts = {
  headers: 15_000,
  request: 30_000,
  idle: 15_000,
  // Node waits once more where a part of what it was writing got through: twice as long at most.
  stalled: 25_000,
}

/** Connections at once, and those of one client (IPv6: of one /56). */
const mostConnections = { all: 4_000, client: 500 }

/**
 * Listens, with limits on slow clients and on how many connections there are, so that no client can
 * take all of them. Proxies stand for many clients and have no limit of their own.
 * @param options `port` 0 takes a free one; `siteUrl` is the public origin; `timeouts` and `most` replace some of the usual ones
 * @throws StartError when the port is taken or may not be used, or the host is not of this machine
 */
export async function listen(
  listener: RequestListener,
  {
    port,
    host,
    siteUrl = '',
    trustProxy = false,
    timeouts,
    most,
  }: Pick<Config, 'port' | 'host'> & {
    siteUrl?: string
    trustProxy?: Config['trustProxy']
    timeouts?: Partial<ConnectionTimeouts>
    most?: Partial<typeof mostConnections>
  },
): Promise<Listening> {
  const { headers, request, idle, stalled } = { ...usualTimeouts, ...timeouts }
  const { all, client } = { ...mostConnections, ...most }
  const unanswered = createUnanswered()
  const refusals = createRefusals(
    commonHeaders({ https: siteUrl.startsWith('https:') }),
    unanswered,
  )
  const answer = cutStalled(refusals.guard(listener), stalled)
  const guarded = cutFloods(inBatches(answer, createClientAddress(trustProxy)), unanswered)
  const server = createServer(
    {
      requireHostHeader: false,
      headersTimeout: headers,
      requestTimeout: request,
      keepAliveTimeout: idle,
      connectionsCheckingInterval: Math.min(5_000, headers / 2),
      noDelay: true,
    },
    guarded,
  )
  refusals.answer(server)
  server.maxConnections = all
  limitPerClient(server, client, createProxyCheck(trustProxy))
  // A body that will be refused is not asked for.
  server.on('checkContinue', (asked, response) => {
    if (!isTooLarge(asked)) response.writeContinue()
    guarded(asked, response)
  })
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await begin(server, port, host)
  let closing: Promise<void> | null = null
  return {
    server,
    port: (server.address() as AddressInfo).port,
    close: (graceMs = 10_000) => (closing ??= drain(server, sockets, graceMs)),
  }
}

async function begin(server: Server, port: number, host: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const refuse = (cause: NodeJS.ErrnoException) =>
      reject(new StartError(problemOf(cause, port, host), { cause }))
    server.once('error', refuse)
    server.listen(port, host, () => {
      server.off('error', refuse)
      resolve()
    })
  })
}

/** How often connections are looked at that have become idle meanwhile, in milliseconds. */
const closeIdleEvery = 50

async function drain(server: Server, sockets: ReadonlySet<Socket>, graceMs: number): Promise<void> {
  const stop = new AbortController()
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const closeIdle = setInterval(() => {
    server.closeIdleConnections()
    // Browsers open connections ahead of need; to Node those alone are idle that have had a request.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }, closeIdleEvery)
  void delay(graceMs, null, { signal: stop.signal }).then(
    () => server.closeAllConnections(),
    () => {},
  )
  await closed
  stop.abort()
  clearInterval(closeIdle)
}

/** Why nothing can listen there, and what to do about it. */
function problemOf({ code, message }: NodeJS.ErrnoException, port: number, host: string): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is already in use (${code}); stop what listens there, or set another PORT.`
    case 'EACCES':
      return `Port ${port} may not be used by this user (${code}); set a PORT from 1024 up.`
    case 'EADDRNOTAVAIL':
      return `HOST ${host} is no address of this machine (${code}); 0.0.0.0 listens on all of them.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST ${host} is a name without an address (${code}); 0.0.0.0 listens on all of this machine.`
    default:
      return `Nothing can listen on ${host}, port ${port}: ${message}. Check HOST and PORT.`
  }
}
