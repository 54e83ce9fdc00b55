import type { ErrorRequestHandler } from 'express'
import type { Logger } from 'pino'
import { failure, failureBody, isFailure, type Failure } from '#shared/failures.ts'
import { visitOf } from './visit.ts'

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
  return known ? failure(...known) : failure('broken', { cause: thrown })
}

/** Logs a failure once, if it is one that somebody has to look at. */
export function logFailure(
  log: Logger,
  visitId: string,
  { status, cause, failure: code }: Failure,
) {
  if (status >= 500) log.error({ id: visitId, failure: code, err: cause }, 'request failed')
}

/** Express error handler: every JSON error of the site (design section 2) leaves here. */
export function failures({ log }: { log: Logger }): ErrorRequestHandler {
  return (thrown, _request, response, next) => {
    const { id } = visitOf(response)
    const known = asFailure(thrown)
    logFailure(log, id, known)
    if (response.headersSent) return next(thrown)
    if (known.retryAfter !== undefined) response.setHeader('Retry-After', String(known.retryAfter))
    response
      .status(known.status)
      .setHeader('Cache-Control', 'no-store')
      .json(failureBody(known, known.status >= 500 ? id : undefined))
  }
}
