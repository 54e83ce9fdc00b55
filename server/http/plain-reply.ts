import type { ErrorRequestHandler, Response } from 'express'
import type { Failure } from '#shared/failures.ts'
import { withTimeout } from '../timeout.ts'
import type { Logger } from 'pino'
import type { Content } from '../content/source.ts'
import { asFailure, logFailure } from './failures.ts'
import type { PlainPage } from './plain-page.ts'
import type { SendPlain } from './send-plain.ts'
import { requestContextOf } from './request-context.ts'

/** Milliseconds that the agency's name may hold up a reply, which can do without. */
const brandTimeout = 500

/** Answers with plain pages. */
export type PlainReplies = ReturnType<typeof createPlainReplies>

/** Makes what answers with plain pages under the agency's name. */
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
