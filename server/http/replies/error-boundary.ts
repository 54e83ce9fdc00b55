import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { nextId, type LoggedPath } from '../request-log.ts'
import { asFailure, type SendFailure } from './failures.ts'

/** A request listener that may be asynchronous. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

/**
 * Wraps a listener in an error boundary: whatever it throws, now or later, is logged and answered with
 * 500 and never ends the process. Express has its own; this covers what runs ahead of it.
 * @param headers of every reply
 */
export function withErrorBoundary(
  listener: Listener,
  {
    log,
    headers,
    loggedPath,
    sendFailure,
  }: {
    log: Logger
    headers: Readonly<Record<string, string>>
    loggedPath: LoggedPath
    sendFailure: SendFailure
  },
): RequestListener {
  const fail = (request: IncomingMessage, response: ServerResponse, err: unknown) => {
    const id = nextId()
    log.error({ id, path: loggedPath(request.url ?? '/'), err }, 'request failed')
    if (response.headersSent) {
      response.destroy()
      return
    }
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    response.setHeader('X-Request-Id', id)
    sendFailure(request, response, asFailure(err), id)
  }
  return (request, response) => {
    try {
      const done = listener(request, response)
      if (done instanceof Promise) done.catch((err: unknown) => fail(request, response, err))
    } catch (err) {
      fail(request, response, err)
    }
  }
}

/**
 * Logs error events of responses: writing to one after its end emits an event, which would end the
 * process without a listener.
 */
export function withResponseErrors<Result>(
  listener: (request: IncomingMessage, response: ServerResponse) => Result,
  log: Logger,
): (request: IncomingMessage, response: ServerResponse) => Result {
  return (request, response) => {
    response.on('error', (err) => log.warn({ err }, 'response failed'))
    return listener(request, response)
  }
}
