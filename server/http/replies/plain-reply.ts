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

/** Reads the agency's name for a plain page; null while it can't be read. */
export type ReadBrand = () => Promise<string | null>

export const createReadBrand =
  (content: Pick<Content, 'rows'>): ReadBrand =>
  () =>
    withTimeout(content.rows('settings'), brandTimeout).then(
      ([settings]) => settings?.brand ?? null,
      () => null,
    )

export function createPlainReplies({
  readBrand,
  log,
  sendPlain,
}: {
  readBrand: ReadBrand
  log: Logger
  sendPlain: SendPlain
}) {
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
