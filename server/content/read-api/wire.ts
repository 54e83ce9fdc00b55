import type { ErrorRequestHandler, Request } from 'express'
import type { Logger } from 'pino'
import type { Failure } from '#shared/failures.ts'
import { asFailure, logFailure } from '../../http/replies/failures.ts'
import { requestContextOf } from '../../http/request-context.ts'

/** Error codes of the read API and their statuses, as in Directus. */
const refusals = {
  INVALID_QUERY: 400,
  FORBIDDEN: 403,
  ROUTE_NOT_FOUND: 404,
  ASSET_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUESTS_EXCEEDED: 429,
  INTERNAL_SERVER_ERROR: 500,
  BAD_SOURCE: 502,
  SERVICE_UNAVAILABLE: 503,
} as const

const byStatus: Readonly<Record<number, RefusalCode>> = {
  400: 'INVALID_QUERY',
  405: 'METHOD_NOT_ALLOWED',
  429: 'REQUESTS_EXCEEDED',
  503: 'SERVICE_UNAVAILABLE',
}

type RefusalCode = keyof typeof refusals

/** An error in Directus' format. */
export type WireRefusal = Error & { readonly wire: RefusalCode }

/** Creates an error to throw; its message is public. */
export function refuse(wire: RefusalCode, message: string): WireRefusal {
  return Object.assign(new Error(message), { wire })
}

/** Directus' reply for a collection, row or field that is missing or not public. */
export const notPublic = (what: string) =>
  refuse('FORBIDDEN', `You don't have permission to access ${what} or it does not exist.`)

/** Express error handler that answers in Directus' format. */
export function wireErrors({ log }: { log: Logger }): ErrorRequestHandler {
  return (thrown, _request, response, next) => {
    if (response.headersSent) return next(thrown)
    const { wire, message, retryAfter } = isRefusal(thrown)
      ? { wire: thrown.wire, message: thrown.message, retryAfter: undefined }
      : translate(asFailure(thrown), requestContextOf(response).id)
    if (retryAfter !== undefined) response.setHeader('Retry-After', String(retryAfter))
    for (const name of ['ETag', 'Vary', 'Content-Length', 'Content-Disposition']) {
      response.removeHeader(name)
    }
    response
      .status(refusals[wire])
      .setHeader('Cache-Control', 'no-store')
      .json({ errors: [{ message, extensions: { code: wire } }] })
  }

  function translate(known: Failure, requestId: string) {
    logFailure(log, requestId, known)
    const { status, message, retryAfter } = known
    const wire = byStatus[status] ?? 'INTERNAL_SERVER_ERROR'
    return { wire, message, retryAfter: status === 503 ? (retryAfter ?? 1) : retryAfter }
  }
}

const isRefusal = (thrown: unknown): thrown is WireRefusal =>
  thrown instanceof Error && 'wire' in thrown

/** List parameters; clients write them with commas, repeat them, or mark them with `[]`. */
const lists = new Set(['fields', 'sort', 'meta'])

/** The values of query parameters by name: all of a list, joined by commas, else the last. */
export function query(request: Request): ReadonlyMap<string, string> {
  // The simple parser gives strings and lists of them.
  const given = request.query as Record<string, string | string[]>
  const values = new Map<string, string>()
  for (const [written, value] of Object.entries(given)) {
    const name = written.replace(/\[\d*\]$/, '')
    const said = [value].flat()
    if (!lists.has(name)) values.set(written, said.at(-1) ?? '')
    else values.set(name, [values.get(name) ?? [], said].flat().join(','))
  }
  return values
}
