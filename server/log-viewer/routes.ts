import { Router } from 'express'
import { failure } from '#shared/failures.ts'
import { getLogAccess } from '#shared/log-viewer.ts'
import type { Http, Platform } from '../feature.ts'
import { allowMethods } from '../http/methods.ts'
import { sessionWith, requestContextOf, type RequestContext } from '../http/request-context.ts'
import type { LogViewers } from './viewers.ts'

/**
 * The server's log for the viewer at /debug/logs (docs/contract.md, Logs): for everyone in
 * development, else for codes with the scope `ops`.
 */
export function logRoutes(
  { clock }: Pick<Platform, 'clock'>,
  { endpoints, limit, mount, development }: Http,
  viewers: LogViewers,
): void {
  const demand = (requestContext: RequestContext) => {
    if (!development) sessionWith('ops', requestContext)
  }

  endpoints.serve(getLogAccess, { limit: 'read', access: 'public' }, (_, { session }) => ({
    development,
    server: development || (session?.scopes.has('ops') ?? false),
  }))

  const router = Router({ caseSensitive: true, strict: true })
  router.get('/api/logs', limit('read'), (request, response) => {
    const requestContext = requestContextOf(response)
    demand(requestContext)
    if (!viewers.hasRoom(requestContext.address)) {
      throw failure('unavailable', {
        message: 'Too many people are watching the log. Please try again later.',
        retryAfter: 10,
      })
    }
    const isAllowed = () =>
      development || (requestContext.sessionAt(clock())?.scopes.has('ops') ?? false)
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store, no-transform',
      'X-Robots-Tag': 'noindex',
      // Tells buffering proxies (nginx) to pass lines on at once.
      'X-Accel-Buffering': 'no',
    })
    // It has no body, and would wait for its end as long as a viewer watches.
    if (request.method === 'HEAD') response.end()
    else {
      viewers.add(response, {
        address: requestContext.address,
        lastId: request.get('last-event-id'),
        isAllowed,
      })
    }
  })
  router.all('/api/logs', allowMethods(['GET']))
  mount(router)
}
