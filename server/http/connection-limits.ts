import type { RequestListener, Server } from 'node:http'
import { ipKeyGenerator } from 'express-rate-limit'
import type { Unanswered } from './unanswered.ts'

/** Requests on one connection that wait for their answers; no browser and no proxy sends so many ahead. */
const mostUnanswered = 64

/**
 * Cuts a connection on which more requests wait than {@link mostUnanswered}: each takes memory, Node
 * reads on for as long as nothing has been written, and one packet holds more than a thousand. What
 * came with them is not begun any more.
 */
export function cutFloods(listener: RequestListener, unanswered: Unanswered): RequestListener {
  return (request, response) => {
    const { socket } = request
    if (socket.destroyed) return
    if (unanswered.add(socket, response) > mostUnanswered) socket.destroy()
    else listener(request, response)
  }
}

/**
 * Has Node cut a connection that gets no byte further for so many milliseconds, in either direction,
 * while an answer is due; between two requests Node has a timeout of its own.
 */
export function cutStalled(listener: RequestListener, stalled: number): RequestListener {
  return (request, response) => {
    listener(request, response)
    // What is answered from memory is on its way already.
    if (!response.writableFinished) request.socket.setTimeout(stalled)
  }
}

/** Turns further connections of a client away at once. */
export function limitPerClient(
  server: Server,
  most: number,
  isProxy: (address: string) => boolean,
) {
  const counts = new Map<string, number>()
  server.on('connection', (socket) => {
    const { remoteAddress } = socket
    if (remoteAddress === undefined || isProxy(remoteAddress)) return
    const key = ipKeyGenerator(remoteAddress, 56)
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    socket.once('close', () => {
      const left = counts.get(key)! - 1
      if (left > 0) counts.set(key, left)
      else counts.delete(key)
    })
    if (count > most) socket.destroy()
  })
}
