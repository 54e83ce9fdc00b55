import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The responses that the clients of connections wait for. */
export type Unanswered = {
  /**
   * Notes a response that is going to be written.
   * @returns how many wait on its connection, this one included
   */
  add(socket: Socket, response: ServerResponse): number
  /** Whether nothing of another reply would stand before or around one that is written to a socket now. */
  isQuiet(socket: Socket): boolean
}

/** In the order of their requests, which is that of the answers; `overlapped` says that two have waited at once. */
type Connection = { waiting: ServerResponse[]; overlapped: boolean }

/** Notes what connections wait for. */
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
      // One request after the other, as most clients send them.
      if (waiting.length === 1 && waiting[0]!.writableFinished) {
        waiting[0] = response
        return 1
      }
      while (waiting[0]?.writableFinished) waiting.shift()
      if (waiting.length > 0) connection.overlapped = true
      return waiting.push(response)
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
