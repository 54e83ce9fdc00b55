import type { Request, RequestHandler, Router } from 'express'
import { newsletterPaths } from '#shared/newsletter.ts'
import type { Http, Platform } from '../feature.ts'
import type { Subscribers } from './store.ts'
import * as views from './views.ts'

/**
 * The pages of a link that unsubscribes.
 * @param options `limiter` how often its address may be asked for; `body` reads a form
 */
export function addLeaveRoutes(
  router: Router,
  plain: Http['plain'],
  { commit, log }: Pick<Platform, 'commit' | 'log'>,
  {
    subscribers,
    limiter,
    body,
  }: { subscribers: Subscribers; limiter: RequestHandler; body: RequestHandler },
): void {
  router.get(newsletterPaths.leave(':token'), limiter, (request, response) => {
    const subscriber = subscribers.findToken(token(request))
    if (!subscriber) return plain.reply(response, 404, views.nobodyView)
    const left = subscriber.status !== 'subscribed'
    return plain.reply(
      response,
      200,
      left ? views.leftView : views.leaveView(subscriber.leaveToken),
    )
  })

  // One-click (RFC 8058) sends a form with List-Unsubscribe=One-Click; the button sends none.
  router.post(newsletterPaths.leave(':token'), limiter, body, async (request, response) => {
    const subscriber = subscribers.findToken(token(request))
    if (!subscriber) return plain.reply(response, 404, views.nobodyView)
    await commit((tx) => subscribers.leave(tx, subscriber))
    log.info({ subscriber: subscriber.id }, 'newsletter unsubscribed')
    await plain.reply(response, 200, views.leftView)
  })
}

const token = (request: Request) => String(request.params.token)
