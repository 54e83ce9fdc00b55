import type { RequestHandler } from 'express'
import { failure } from '#shared/failures.ts'

/** Whether a method is safe (RFC 9110, 9.2.1). */
export const isSafe = (method: string) => ['GET', 'HEAD', 'OPTIONS'].includes(method)

/**
 * Answers 405 with Allow (RFC 9110, 15.5.6), and OPTIONS. The methods that an address takes are passed on,
 * since a page may answer them.
 */
export function allowMethods(methods: readonly string[]): RequestHandler {
  const allowed = methods
    .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    .toSorted()
  return (request, response, next) => {
    if (allowed.includes(request.method)) return next()
    response.setHeader('Allow', allowed.join(', '))
    if (request.method === 'OPTIONS')
      response.status(204).setHeader('Cache-Control', 'no-store').end()
    else next(failure('wrong-method'))
  }
}
