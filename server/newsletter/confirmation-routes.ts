import type { Request, RequestHandler, Router } from 'express'
import { newsletterPaths, newsletterPolicy } from '#shared/newsletter.ts'
import type { Http, Platform } from '../feature.ts'
import { networkOf } from '../http/connections/client-address.ts'
import { requestContextOf } from '../http/request-context.ts'
import type { Ask } from './asking.ts'
import type { Subscribers } from './store.ts'
import type { ConfirmationTokens } from './tokens.ts'
import * as views from './views.ts'

/** The pages of a confirmation link. @param options `limiter` how often its address may be asked for */
export function addConfirmationRoutes(
  router: Router,
  plain: Http['plain'],
  platform: Platform,
  {
    subscribers,
    confirmationTokens,
    ask,
    limiter,
  }: {
    subscribers: Subscribers
    confirmationTokens: ConfirmationTokens
    ask: Ask
    limiter: RequestHandler
  },
): void {
  const { commit, log } = platform
  /** The page of a confirmation link, or what stands in its place when the link is no good. */
  const confirmation = (request: Request) => {
    const read = confirmationTokens.read(token(request))
    const subscriber = read && subscribers.findSecret(read.secret)
    const good = subscriber && subscriber.round === read.round && subscriber.status !== 'blocked'
    return good ? { ...read, subscriber } : null
  }

  router.get(newsletterPaths.confirm(':token'), limiter, (request, response) => {
    const link = confirmation(request)
    if (!link) return plain.reply(response, 404, views.voidView)
    if (link.subscriber.status === 'subscribed') {
      return plain.reply(response, 200, views.confirmedView)
    }
    if (link.expired) return plain.reply(response, 410, views.expiredView(token(request)))
    return plain.reply(response, 200, views.confirmView(token(request)))
  })

  router.post(newsletterPaths.confirm(':token'), limiter, async (request, response) => {
    const link = confirmation(request)
    if (link?.expired && link.subscriber.status !== 'subscribed') {
      return plain.reply(response, 410, views.expiredView(token(request)))
    }
    const { address } = requestContextOf(response)
    const proof = { network: networkOf(platform, address), policy: newsletterPolicy.version }
    const confirmed =
      link !== null &&
      (await commit((tx) => subscribers.confirm(tx, link.subscriber.id, link.round, proof)))
    if (confirmed) log.info({ subscriber: link?.subscriber.id }, 'newsletter confirmed')
    await (confirmed
      ? plain.reply(response, 200, views.confirmedView)
      : plain.reply(response, 404, views.voidView))
  })

  router.post(newsletterPaths.again(':token'), limiter, async (request, response) => {
    const link = confirmation(request)
    if (!link) return plain.reply(response, 404, views.voidView)
    const { email } = link.subscriber
    const { address } = requestContextOf(response)
    await ask({ email, name: '' }, { address, source: newsletterPaths.confirm('…') })
    await plain.reply(response, 200, views.askedView)
  })
}

const token = (request: Request) => String(request.params.token)
