import type { RequestHandler } from 'express'
import { failure } from '#shared/failures.ts'
import { requestContextOf, type RequestContext } from './request-context.ts'
import type { Session } from './session.ts'

/**
 * The session of a request, when it has a scope. It is asked before anything is looked up, so
 * that the refusal says nothing of what exists.
 * @throws signed-out without a session, forbidden with one that lacks the scope
 */
export function sessionWith(scope: string, { session }: Pick<RequestContext, 'session'>): Session {
  if (!session) throw failure('signed-out')
  if (!session.scopes.has(scope)) {
    throw failure('forbidden', { message: session.refusal })
  }
  return session
}

/** Express middleware for routes that are no endpoints: {@link sessionWith}. */
export function requireScope(scope: string): RequestHandler {
  return (_request, response, next) => {
    sessionWith(scope, requestContextOf(response))
    next()
  }
}
