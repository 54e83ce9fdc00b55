import {
  STATUS_CODES,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import type { ErrorRequestHandler } from 'express'
import type { Logger } from 'pino'
import { failure, failureBody, isFailure, type Failure } from '#shared/failures.ts'
import { paths } from '#shared/paths.ts'
import { html } from '../../text/markup.ts'
import { requestContextOf } from '../request-context.ts'
import { nextId, type LoggedPath } from '../request-log.ts'
import type { PlainPage, SendPlain } from './plain-page.ts'

/** Our failures for the statuses that body-parser and Express throw. */
const byStatus: Readonly<Record<number, Parameters<typeof failure>>> = {
  400: ['malformed'],
  404: ['missing'],
  413: ['too-large'],
  415: ['wrong-type'],
}

/**
 * Turns any thrown value into a {@link Failure}. The unexpected becomes `broken` with the value as its
 * cause, so no internal text reaches visitors.
 */
export function asFailure(thrown: unknown): Failure {
  if (isFailure(thrown)) return thrown
  const status = thrown instanceof Object && 'status' in thrown ? Number(thrown.status) : 500
  const known = byStatus[status]
  if (known) return failure(...known)
  if (isPassing(thrown)) return failure('unavailable', { retryAfter: 30, cause: thrown })
  return failure('broken', { cause: thrown })
}

/**
 * Whether the database can't write for now: another process holds it, its disk is full, over its quota
 * or read-only, or it was moved. Health says 503 of the same.
 */
const isPassing = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  'code' in thrown &&
  /^SQLITE_(?:BUSY|FULL|IOERR|READONLY)/.test(String(thrown.code))

/** Logs a failure that staff should look into. */
export function logFailure(
  log: Logger,
  requestId: string,
  { status, cause, failure: code }: Failure,
) {
  if (status >= 500) log.error({ id: requestId, failure: code, err: cause }, 'request failed')
}

/** Addresses that always answer with JSON. */
const machines = /^\/(?:api|items|functions)(?:[/?]|$)/

/**
 * Express error handler: every JSON error of the site (docs/contract.md, Errors) leaves here.
 * A request for a page gets a page.
 */
export function failures({
  log,
  sendFailure,
}: {
  log: Logger
  sendFailure: SendFailure
}): ErrorRequestHandler {
  return (thrown, request, response, _next) => {
    const { id } = requestContextOf(response)
    const known = asFailure(thrown)
    logFailure(log, id, known)
    // A half-sent reply must not look complete.
    if (!response.headersSent) sendFailure(request, response, known, id)
    else if (!response.writableEnded) response.destroy()
  }
}

/**
 * Answers a request with a failure: a page for people, JSON for programs.
 * @param response that has not begun; with the headers of every reply
 * @param id of the request, shown when staff should be told about it
 */
export type SendFailure = (
  request: IncomingMessage,
  response: ServerResponse,
  known: Failure,
  id: string,
) => void

export const createSendFailure =
  (sendPlain: SendPlain, readBrand: () => Promise<string | null>): SendFailure =>
  (request, response, known, id) => {
    if (known.retryAfter !== undefined) response.setHeader('Retry-After', String(known.retryAfter))
    if (wantsPage(request) && !machines.test(request.url ?? '/')) {
      const sendPage = async () => {
        const brand = await readBrand()
        if (response.headersSent) return
        sendPlain(response, { status: known.status, page: failedPage(known, id), brand })
      }
      // What fails there has no one above it who could answer.
      sendPage().catch(() => response.destroy())
      return
    }
    const body = JSON.stringify(failureBody(known, known.status >= 500 ? id : undefined))
    response.statusCode = known.status
    response
      .setHeader('Cache-Control', 'no-store')
      .setHeader('Content-Type', 'application/json; charset=utf-8')
      .setHeader('Content-Length', Buffer.byteLength(body))
      .end(body)
  }

/** The error page for browsers when not even the page shell could be rendered. */
function failedPage({ status, message }: Failure, id: string): PlainPage {
  const statusText = status === 500 ? 'Internal Error' : (STATUS_CODES[status] ?? 'Error')
  const explanation =
    status === 404
      ? "We couldn't find the page you're looking for."
      : "We've encountered an error while trying to display this page."
  return {
    title: `${status} ${statusText}`,
    body: html`<h1>${status} ${statusText}</h1>
      <p>${explanation}</p>
      ${message === explanation ? null : html`<p>${message}</p>`}
      ${status >= 500 ? html`<p>Quote this reference if you report it: ${id}.</p>` : null}
      <p class="ways">
        <a href="${paths.home()}">Back to Home</a>
        <button type="button" data-way="back">Go Back</button>
        <button type="button" data-way="reload">Reload Page</button>
      </p>`,
  }
}

/** Whether a person follows a link or submits a form, rather than a page loading its parts. */
export function wantsPage({ headers }: IncomingMessage): boolean {
  const destination = headers['sec-fetch-dest']
  if (destination !== undefined && destination !== 'document') return false
  return /\btext\/html\b/.test(headers.accept ?? '')
}

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
