import type { ErrorRequestHandler } from 'express'
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { failure, failureBody, isFailure, type Failure } from '#shared/failures.ts'
import { paths } from '#shared/paths.ts'
import { html } from '../markup.ts'
import type { PlainPage } from './plain-page.ts'
import type { SendPlain } from './send-plain.ts'
import { requestContextOf } from './request-context.ts'
import { wantsPage } from './wants-page.ts'

/** What body-parser and Express say with a status, in our words. */
const byStatus: Readonly<Record<number, Parameters<typeof failure>>> = {
  400: ['malformed'],
  404: ['missing'],
  413: ['too-large'],
  415: ['wrong-type'],
}

/**
 * Turns anything thrown into a {@link Failure}. Anything unexpected becomes `broken`, with the
 * thrown value as its cause, so that no inner text reaches a visitor.
 */
export function asFailure(thrown: unknown): Failure {
  if (isFailure(thrown)) return thrown
  const status = thrown instanceof Object && 'status' in thrown ? Number(thrown.status) : 500
  const known = byStatus[status]
  if (known) return failure(...known)
  if (isPassing(thrown)) return failure('unavailable', { retryAfter: 30, cause: thrown })
  return failure('broken', { cause: thrown })
}

/** Whether the database cannot write now, but will: it is held by another process, or the disk is full. */
const isPassing = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && /^SQLITE_(BUSY|FULL)/.test(String(thrown.code))

/** Logs a failure once, if staff have to look at it. */
export function logFailure(
  log: Logger,
  requestId: string,
  { status, cause, failure: code }: Failure,
) {
  if (status >= 500) log.error({ id: requestId, failure: code, err: cause }, 'request failed')
}

/** Where even people get JSON. */
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
    // What is on its way cannot be taken back; half of it must not look whole.
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

/** Makes what answers with failures. */
export const createSendFailure =
  (sendPlain: SendPlain): SendFailure =>
  (request, response, known, id) => {
    if (known.retryAfter !== undefined) response.setHeader('Retry-After', String(known.retryAfter))
    if (wantsPage(request) && !machines.test(request.url ?? '/')) {
      sendPlain(response, { status: known.status, page: failedPage(known, id), brand: null })
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

/** The route error page of a browser to which not even the shell could be given. */
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
      ${status >= 500 ? html`<p>If you tell us about it, please name the number ${id}.</p>` : null}
      <p class="ways">
        <a href="${paths.home()}">Back to Home</a>
        <button type="button" data-way="back">Go Back</button>
        <button type="button" data-way="reload">Reload Page</button>
      </p>`,
  }
}
