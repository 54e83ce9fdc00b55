import type { ErrorRequestHandler } from 'express'
import { STATUS_CODES } from 'node:http'
import type { Logger } from 'pino'
import { failure, failureBody, isFailure, type Failure } from '#shared/failures.ts'
import { paths } from '#shared/paths.ts'
import { html } from '../markup.ts'
import type { PlainPage } from './plain-page.ts'
import { sendPlain } from './send-plain.ts'
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
 * Turns anything thrown into a {@link Failure}. What nobody expected becomes `broken`, with the
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

/** Logs a failure once, if it is one that somebody has to look at. */
export function logFailure(
  log: Logger,
  requestId: string,
  { status, cause, failure: code }: Failure,
) {
  if (status >= 500) log.error({ id: requestId, failure: code, err: cause }, 'request failed')
}

/** Where even people get JSON. */
const machines = /^\/(?:api|items|functions)(?:\/|$)/

/**
 * Express error handler: every JSON error of the site (design section 2) leaves here. Somebody who
 * looks at a page gets a page.
 */
export function failures({ log }: { log: Logger }): ErrorRequestHandler {
  return (thrown, request, response, next) => {
    const { id } = requestContextOf(response)
    const known = asFailure(thrown)
    logFailure(log, id, known)
    if (response.headersSent) return next(thrown)
    if (known.retryAfter !== undefined) response.setHeader('Retry-After', String(known.retryAfter))
    if (wantsPage(request) && !machines.test(request.path)) {
      return sendPlain(response, { status: known.status, page: failedPage(known, id), brand: null })
    }
    response
      .status(known.status)
      .setHeader('Cache-Control', 'no-store')
      .json(failureBody(known, known.status >= 500 ? id : undefined))
  }
}

/** The route error page (spec 2.2) of a browser to which not even the shell could be given. */
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
      <p>${message}</p>
      ${status >= 500 ? html`<p>If you tell us about it, please name the number ${id}.</p>` : null}
      <p class="way"><a href="${paths.home()}">Back to Home</a></p>`,
  }
}
