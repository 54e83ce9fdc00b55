import type { IncomingMessage } from 'node:http'
import type { RequestHandler } from 'express'
import { failure } from '#shared/failures.ts'
import type { SendFailure } from './failures.ts'
import { requestContextOf } from './request-context.ts'

/** Bytes that no body of a request may exceed; routes allow less. */
export const largestBody = 1024 * 1024

/** How often the length of a body that does not tell it is looked at, in milliseconds. */
const lookEvery = 20

/** Whether a body follows the head of a request (RFC 9112, 6.3). */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined ||
  (headers['content-length'] !== undefined && headers['content-length'] !== '0')

/** Whether a request says that its body is larger than any route takes. */
export const isTooLarge = ({ headers }: IncomingMessage): boolean =>
  Number(headers['content-length'] ?? 0) > largestBody

/**
 * Makes Express middleware that answers a body that is too large with 413 and closes the connection, whatever
 * the route. Otherwise Node and the body parsers would read it to its end before they answer. What
 * tells its length is refused before it is read, a chunked one as soon as it is too long. Where a
 * route has answered without reading a chunked body, so much of it is still read, since who meets a
 * closed connection while sending does not see the answer.
 */
export const createBodyLimit =
  (sendFailure: SendFailure): RequestHandler =>
  (request, response, next) => {
    if (!hasBody(request)) return next()
    if (isTooLarge(request)) {
      response.setHeader('Connection', 'close')
      return next(failure('too-large'))
    }
    if (request.headers['transfer-encoding'] === undefined) return next()
    const { socket } = request
    const readBefore = socket.bytesRead
    const look = setInterval(() => {
      if (socket.bytesRead - readBefore <= largestBody) return
      done()
      if (response.headersSent) {
        socket.destroy()
        return
      }
      response.setHeader('Connection', 'close')
      sendFailure(request, response, failure('too-large'), requestContextOf(response).id)
    }, lookEvery)
    const done = () => {
      clearInterval(look)
      socket.off('close', done)
    }
    request.once('end', done)
    socket.once('close', done)
    next()
  }
