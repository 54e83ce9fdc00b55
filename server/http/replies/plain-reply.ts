import type { ErrorRequestHandler, Response } from 'express'
import type { Logger } from 'pino'
import type { Failure } from '#shared/failures.ts'
import type { Content } from '../../content/source.ts'
import { withTimeout } from '../../concurrency/timeout.ts'
import { requestContextOf } from '../request-context.ts'
import { asFailure, logFailure } from './failures.ts'
import type { PlainPage, SendPlain } from './plain-page.ts'

/** Milliseconds that a reply waits for the agency's name. */
const brandTimeout = 500

/** Replies with plain pages. */
export type PlainReplies = ReturnType<typeof createPlainReplies>

export function createPlainReplies({
  content,
  log,
  sendPlain,
}: {
  content: Pick<Content, 'rows'>
  log: Logger
  sendPlain: SendPlain
}) {
  const readBrand = () =>
    withTimeout(content.rows('settings'), brandTimeout).then(
      ([settings]) => settings?.brand ?? null,
      () => null,
    )

  const reply = async (response: Response, status: number, page: PlainPage): Promise<void> =>
    sendPlain(response, { status, page, brand: await readBrand() })

  return {
    reply,

    /**
     * Express error handler for routes that people look at: a failure becomes a page.
     * @param view the page of a failure
     */
    failures:
      (view: (failure: Failure) => PlainPage): ErrorRequestHandler =>
      async (thrown, _request, response, next) => {
        if (response.headersSent) return next(thrown)
        const known = asFailure(thrown)
        logFailure(log, requestContextOf(response).id, known)
        if (known.retryAfter !== undefined) {
          response.setHeader('Retry-After', String(known.retryAfter))
        }
        await reply(response, known.status, view(known))
      },
  }
}
