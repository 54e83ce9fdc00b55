import type { ServerResponse, RequestListener, Server } from 'node:http'
import { type Socket, isIPv6 } from 'node:net'
import { ipKeyGenerator } from 'express-rate-limit'

/** The responses that each connection is waiting for. */
export type Unanswered = {
  /**
   * Registers a response that is going to be written.
   * @returns how many are pending on its connection, including this one
   */
  add(socket: Socket, response: ServerResponse): number
  /** Whether a connection waits for the next request, the rest of a body, or an answer. */
  stateOf(socket: Socket): 'idle' | 'sending' | 'waiting'
  /** Whether a reply written to the socket now wouldn't mix with another one. */
  isQuiet(socket: Socket): boolean
}

/** In request order; `overlapped` once two were pending at the same time. */
type Connection = { waiting: ServerResponse[]; overlapped: boolean }

export function createUnanswered(): Unanswered {
  const connections = new WeakMap<Socket, Connection>()
  return {
    add(socket, response) {
      const connection = connections.get(socket)
      if (!connection) {
        connections.set(socket, { waiting: [response], overlapped: false })
        return 1
      }
      const { waiting } = connection
      // The usual case: one request at a time.
      if (waiting.length === 1 && waiting[0]!.writableFinished) {
        waiting[0] = response
        return 1
      }
      while (waiting[0]?.writableFinished) waiting.shift()
      if (waiting.length > 0) connection.overlapped = true
      return waiting.push(response)
    },
    stateOf(socket) {
      const due = connections.get(socket)?.waiting.find(({ writableFinished }) => !writableFinished)
      if (!due) return 'idle'
      return due.req.complete ? 'waiting' : 'sending'
    },
    isQuiet(socket) {
      const connection = connections.get(socket)
      if (!connection) return true
      const last = connection.waiting.at(-1)
      if (connection.overlapped) return false
      return last === undefined || last.writableFinished || !last.headersSent
    },
  }
}

/** Pipelined requests per connection; no browser or proxy sends this many ahead. */
const maxUnanswered = 64

/**
 * Cuts connections with more than {@link maxUnanswered} pending requests: each takes memory, Node
 * keeps reading while nothing has been written, and one packet can hold over a thousand of them.
 */
export function cutFloods(listener: RequestListener, unanswered: Unanswered): RequestListener {
  return (request, response) => {
    const { socket } = request
    if (socket.destroyed) return
    if (unanswered.add(socket, response) > maxUnanswered) socket.destroy()
    else listener(request, response)
  }
}

/**
 * Cuts connections that make no progress in either direction for `stalled` milliseconds while an
 * answer is due; between requests Node's own keep-alive timeout applies.
 */
export function cutStalled(listener: RequestListener, stalled: number): RequestListener {
  return (request, response) => {
    listener(request, response)
    // Replies from memory are on their way already.
    if (!response.writableFinished) request.socket.setTimeout(stalled)
  }
}

/** Maximum number of open connections. */
export type MaxConnections = {
  /** In all. */
  readonly all: number
  /** Of one client: an IPv4 address, or an IPv6 /56. */
  readonly client: number
  /** Of one IPv6 /48, all of which a single customer may own. */
  readonly network: number
}

/** Connections accepted beyond the maximum while those they replace are closing. */
const spare = 500

/**
 * Limits the number of connections. A client beyond its share is turned away. When all are taken, a
 * new one replaces the one that has waited longest for its first request, else the oldest idle one,
 * else the oldest with an incomplete body. Opening connections and staying silent locks no one out.
 * @param isProxy whether an address stands for many visitors and so has no share of its own
 * @returns wraps a listener, to see which connections have sent a request
 */
export function limitConnections(
  server: Server,
  { all, client, network }: MaxConnections,
  isProxy: (address: string) => boolean,
  unanswered: Pick<Unanswered, 'stateOf'>,
): (listener: RequestListener) => RequestListener {
  const open = new Set<Socket>()
  const headless = new Set<Socket>()
  const clients = createCounts()
  const networks = createCounts()
  server.maxConnections = all + spare

  const forget = (socket: Socket) => {
    open.delete(socket)
    headless.delete(socket)
  }
  const oldest = (state: 'idle' | 'sending') => {
    for (const socket of open) if (unanswered.stateOf(socket) === state) return socket
    return undefined
  }
  const makeRoom = () => {
    const [first] = headless
    const victim = first ?? oldest('idle') ?? oldest('sending')
    if (!victim) return false
    forget(victim)
    victim.destroy()
    return true
  }

  /** Counts a connection for its client and network. @returns whether either has too many */
  const isTooMany = (socket: Socket) => {
    const { remoteAddress } = socket
    if (remoteAddress === undefined || isProxy(remoteAddress)) return false
    const ofClient = clients.add(ipKeyGenerator(remoteAddress, 56), socket)
    const ofNetwork = isIPv6(remoteAddress)
      ? networks.add(ipKeyGenerator(remoteAddress, 48), socket)
      : 0
    return ofClient > client || ofNetwork > network
  }

  server.on('connection', (socket) => {
    if (isTooMany(socket) || (open.size >= all && !makeRoom())) {
      socket.destroy()
      return
    }
    open.add(socket)
    headless.add(socket)
    socket.once('close', () => forget(socket))
  })
  return (listener) => (request, response) => {
    headless.delete(request.socket)
    listener(request, response)
  }
}

/** Counts open connections by the keys of their clients. */
function createCounts() {
  const counts = new Map<string, number>()
  return {
    /** @returns how many a key has, this one included */
    add(key: string, socket: Socket): number {
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      socket.once('close', () => {
        const left = counts.get(key)! - 1
        if (left > 0) counts.set(key, left)
        else counts.delete(key)
      })
      return count
    },
  }
}
