import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../../config.ts'
import { StartError } from '../../start-error.ts'
import { isTooLarge } from '../request-body.ts'
import { commonHeaders } from '../security-headers.ts'
import { createProxyCheck } from './client-address.ts'
import {
  cutFloods,
  cutStalled,
  limitConnections,
  type MaxConnections,
  createUnanswered,
} from './connection-limits.ts'
import { createRefusals } from './refusals.ts'

/** A server that is listening. */
export type Listening = {
  readonly port: number
  readonly server: Server
  /** Stops accepting, lets requests finish and cuts the rest after `graceMs`. Idempotent. */
  close(graceMs?: number): Promise<void>
}

/** Connection timeouts in milliseconds. */
export type ConnectionTimeouts = {
  /** Until the request's headers are complete. */
  headers: number
  /** Until the whole request has arrived. */
  request: number
  /** Between two requests. */
  idle: number
  /** Without progress in either direction, such as a client that doesn't read its answer. */
  stalled: number
}

/** The defaults; each cuts within a minute. */
export const defaultTimeouts: ConnectionTimeouts = {
  headers: 15_000,
  request: 30_000,
  idle: 15_000,
  // Node waits once more if part of its write got through, so at most twice this long.
  stalled: 25_000,
}

const maxConnections: MaxConnections = { all: 4_000, client: 500, network: 1_000 }

/**
 * Listens, with limits on slow clients and on connections per client, so no one can lock others
 * out. Proxies stand for many clients and have no limit of their own.
 * @param options `port` 0 picks a free one; `hsts` and `indexing` control headers; `timeouts` and
 *   `most` override defaults
 * @throws StartError when the port is taken or may not be used, or the host is not of this machine
 */
export async function listen(
  listener: RequestListener,
  {
    port,
    host,
    hsts = null,
    indexing = true,
    trustProxy = false,
    timeouts,
    max,
  }: Pick<Config, 'port' | 'host'> & {
    hsts?: Config['hsts']
    indexing?: boolean
    trustProxy?: Config['trustProxy']
    timeouts?: Partial<ConnectionTimeouts>
    max?: Partial<MaxConnections>
  },
): Promise<Listening> {
  const { headers, request, idle, stalled } = { ...defaultTimeouts, ...timeouts }
  const unanswered = createUnanswered()
  const refusals = createRefusals(commonHeaders({ hsts, indexing }), unanswered)
  const answer = cutStalled(refusals.guard(listener), stalled)
  const server = createServer({
    requireHostHeader: false,
    headersTimeout: headers,
    requestTimeout: request,
    keepAliveTimeout: idle,
    connectionsCheckingInterval: Math.min(5_000, headers / 2),
    noDelay: true,
  })
  const limited = limitConnections(
    server,
    { ...maxConnections, ...max },
    createProxyCheck(trustProxy),
    unanswered,
  )
  const guarded = limited(cutFloods(answer, unanswered))
  server.on('request', guarded)
  refusals.answer(server)
  // Doesn't ask for a body that will be refused.
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
    close: (graceMs = 10_000) => (closing ??= closeGracefully(server, sockets, graceMs)),
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

/** Milliseconds between two sweeps of idle connections during shutdown. */
const closeIdleEvery = 50

async function closeGracefully(
  server: Server,
  sockets: ReadonlySet<Socket>,
  graceMs: number,
): Promise<void> {
  const stop = new AbortController()
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const closeIdle = setInterval(() => {
    server.closeIdleConnections()
    // Browsers open connections ahead of need; Node only counts those that had a request as idle.
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

/** Why listening failed, and what to do about it. */
function problemOf({ code, message }: NodeJS.ErrnoException, port: number, host: string): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is already in use (${code}). Stop the other process or set PORT.`
    case 'EACCES':
      return `Port ${port} needs more rights than this user has (${code}). Set PORT to 1024 or higher.`
    case 'EADDRNOTAVAIL':
      return `HOST ${host} isn’t an address of this machine (${code}). 0.0.0.0 listens on all of them.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST ${host} can’t be resolved (${code}). 0.0.0.0 listens on all addresses of this machine.`
    default:
      return `Can’t listen on ${host}, port ${port}: ${message}. Check HOST and PORT.`
  }
}
