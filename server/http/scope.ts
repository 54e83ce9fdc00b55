import type { RequestHandler } from 'express'
import { failure } from '#shared/failures.ts'
import type { Scope } from '#shared/secret-code.ts'
import { requestContextOf, type RequestContext } from './request-context.ts'
import type { Session } from './session.ts'

/**
 * The session of a request, when its code has a scope. It is asked before anything is looked up, so
 * that the refusal says nothing of what exists.
 * @throws signed-out without a session, forbidden with one that lacks the scope
 */
export function sessionWith(scope: Scope, { session }: Pick<RequestContext, 'session'>): Session {
  if (!session) throw failure('signed-out')
  if (!session.scopes.has(scope)) {
    throw failure('forbidden', { message: 'Your secret code does not open this.' })
  }
  return session
}

/** Express middleware for routes that are no endpoints: {@link sessionWith}. */
export function requireScope(scope: Scope): RequestHandler {
  return (_request, response, next) => {
    sessionWith(scope, requestContextOf(response))
    next()
  }
}
