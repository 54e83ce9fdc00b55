import type { IncomingMessage, ServerResponse } from 'node:http'
import express, {
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express'
import { failure } from '#shared/failures.ts'
import type { SendFailure } from './replies/failures.ts'
import { requestContextOf } from './request-context.ts'

/** Maximum size of any request body in bytes, but for {@link LargeBody}; routes allow less. */
const largestBody = 1024 * 1024

/** An address that takes larger bodies, such as files; its route reads them piece by piece. */
export type LargeBody = { path: RegExp; bytes: number }

/** How much of a refused body is still read, for how long, and how long its next piece may take. */
const lingering = { bytes: 64 * 1024 * 1024, ms: 10_000, pauseMs: 2000 }

/** Milliseconds between two checks of the size of a chunked body. */
const lookEvery = 20

/** Whether a body follows the head of a request (RFC 9112, 6.3). */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined ||
  (headers['content-length'] !== undefined && headers['content-length'] !== '0')

/** Whether the Content-Length exceeds what a route takes; usual ones where nothing else is said. */
export const isTooLarge = ({ headers }: IncomingMessage, largest = largestBody): boolean =>
  Number(headers['content-length'] ?? 0) > largest

/**
 * Creates middleware that answers oversized bodies with 413 and closes the connection, whatever the
 * route; Node and the body parsers would read them to the end first. A declared length is refused
 * before reading, a chunked body as soon as it is too long. If a route answered without reading a
 * chunked body, up to the limit is still read: a client that is cut off while sending never sees the
 * answer.
 * @param large addresses that take more; complete once all routes are mounted
 */
export const createBodyLimit =
  (sendFailure: SendFailure, large: readonly LargeBody[]): RequestHandler =>
  (request, response, next) => {
    if (!hasBody(request)) return next()
    const largest = large.find(({ path }) => path.test(request.path))?.bytes ?? largestBody
    if (isTooLarge(request, largest)) {
      closeAfterBody(request, response)
      return next(failure('too-large'))
    }
    if (request.headers['transfer-encoding'] === undefined) return next()
    const { socket } = request
    const readBefore = socket.bytesRead
    const look = setInterval(() => {
      if (socket.bytesRead - readBefore <= largest) return
      done()
      if (response.headersSent) {
        socket.destroy()
        return
      }
      closeAfterBody(request, response)
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

/**
 * Lets the coming reply close the connection, but not before the rest of the body has been read and
 * dropped, within {@link lingering}. Closing over unread bytes resets the connection, and a client
 * that is still sending then loses the reply that it has been sent.
 */
function closeAfterBody(request: IncomingMessage, response: ServerResponse) {
  response.setHeader('Connection', 'close')
  const end = response.end.bind(response)
  const sendThenEnd = (reply: unknown) => {
    if (request.readableEnded) return end(reply)
    // Complete for the client, since every refusal has a Content-Length.
    response.write(reply)
    const close = () => {
      clearTimeout(timer)
      end()
    }
    const timer = setTimeout(close, lingering.pauseMs)
    const until = performance.now() + lingering.ms
    let dropped = 0
    request.on('data', (piece: Buffer) => {
      dropped += piece.length
      if (dropped > lingering.bytes || performance.now() > until) request.pause()
      else timer.refresh()
    })
    request.once('end', close)
    request.once('close', close)
    return response
  }
  response.end = sendThenEnd as typeof response.end
}

/** Middleware that accepts only a JSON object; anything else is 400, 413 or 415. */
export function jsonBody(bytes: number): RequestHandler[] {
  return [
    (request: Request, _: Response, next: NextFunction) => {
      next(request.is('application/json') ? undefined : failure('wrong-type'))
    },
    express.json({ limit: bytes, strict: true }),
    (request: Request, _: Response, next: NextFunction) => {
      const isObject = request.body instanceof Object && !Array.isArray(request.body)
      next(
        isObject
          ? undefined
          : failure('malformed', { message: 'The request body must be a JSON object.' }),
      )
    },
  ]
}
