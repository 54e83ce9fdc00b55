import type { ErrorRequestHandler, Response } from 'express'
import type { Logger } from 'pino'
import type { Failure } from '#shared/failures.ts'
import { plainPage, plainStyle, type Markup } from '../markup.ts'
import { asFailure, logFailure } from './failures.ts'
import { pagePolicy } from './guards.ts'
import { visitOf } from './visit.ts'

/** A page for people that needs no script: its title and what stands in its main part. */
export type PlainPage = { title: string; body: Markup }

/** Sends a plain page that nobody keeps or indexes. */
export function replyPlain(response: Response, status: number, page: PlainPage): void {
  response
    .status(status)
    .setHeader('Content-Security-Policy', pagePolicy([], { style: [plainStyle] }))
    .setHeader('Cache-Control', 'no-store')
    .setHeader('X-Robots-Tag', 'noindex')
    .type('html')
    .send(plainPage(page))
}

/**
 * Express error handler for routes that people look at: a failure becomes a page.
 * @param view the page of a failure
 */
export function plainFailures(
  log: Logger,
  view: (failure: Failure) => PlainPage,
): ErrorRequestHandler {
  return (thrown, _request, response, next) => {
    if (response.headersSent) return next(thrown)
    const known = asFailure(thrown)
    logFailure(log, visitOf(response).id, known)
    if (known.retryAfter !== undefined) response.setHeader('Retry-After', String(known.retryAfter))
    replyPlain(response, known.status, view(known))
  }
}
