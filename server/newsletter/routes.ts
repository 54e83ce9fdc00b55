import express, { Router, type Request, type RequestHandler, type Response } from 'express'
import {
  ownList,
  isMailable,
  looksLikeEmail,
  newsletterLimits,
  newsletterPaths,
  newsletterPolicy,
  typedAddress,
} from '#shared/newsletter.ts'
import type { Http, Platform } from '../feature.ts'
import { createAsking, type Ask } from './asking.ts'
import type { Subscribers } from './store.ts'
import type { ConfirmationTokens } from './tokens.ts'
import * as views from './views.ts'
import { entriesOf } from '#shared/forms/form.ts'
import { oneLine } from '#shared/text/text.ts'
import { allowMethods } from '../http/methods.ts'
import { requestContextOf } from '../http/request-context.ts'
import { networkOf } from '../http/connections/client-address.ts'

/** The newsletter's forms and links. */
const subscribing = { name: 'subscribe', seconds: 600, max: 60 }
/** Unsubscribing, which one mail provider may do for many people at once. */
const leaving = { name: 'leave', seconds: 60, max: 600 }

/** Where mail programs unsubscribe; the token is all they need, so these pass the same-origin check. */
const leavePaths = /^\/subscription\/leave\/[\w-]+$/

/**
 * The list service (docs/contract.md, Newsletter), in the shape of listmonk's public forms: double
 * opt-in, confirming and leaving by POST alone, since mail scanners open every link.
 */
export function newsletterRoutes(
  platform: Platform,
  { limit, mount, openPath, plain }: Http,
  {
    subscribers,
    confirmationTokens,
  }: { subscribers: Subscribers; confirmationTokens: ConfirmationTokens },
): void {
  const list = platform.config.newsletter.list ?? ownList
  const router = Router({ caseSensitive: true })
  const body = express.urlencoded({ extended: false, limit: 16 * 1024, parameterLimit: 50 })
  const ask = createAsking(platform, subscribers)
  const limiter = limit(subscribing)

  addFormRoutes(router, plain, { list, ask, limiter, body })
  addConfirmationRoutes(router, plain, platform, { subscribers, confirmationTokens, ask, limiter })
  addLeaveRoutes(router, plain, platform, { subscribers, limiter: limit(leaving), body })
  router.use('/subscription', plain.failures(views.failedView))
  openPath(leavePaths)
  mount(router)
}

/**
 * The form of the list.
 * @param options `list` is the only one there is; `limiter` how often a form may be sent, `body` reads it
 */
function addFormRoutes(
  router: Router,
  plain: Http['plain'],
  {
    list,
    ask,
    limiter,
    body,
  }: { list: string; ask: Ask; limiter: RequestHandler; body: RequestHandler },
): void {
  const subscribe = async (request: Request, response: Response) => {
    const posted = request.body as { l?: unknown } | undefined
    const lists = [posted?.l].flat().filter((each) => each !== undefined)
    const { email: typed = '', name = '', nonce = '' } = entriesOf(posted)
    const email = typedAddress(typed)
    if (lists.length === 0 || lists.some((each) => each !== list)) {
      return plain.reply(response, 400, views.unknownListView)
    }
    if (!looksLikeEmail(email) || !isMailable(email)) {
      return plain.reply(response, 400, views.invalidView(list, email))
    }
    // A filled honeypot is answered like everything else.
    if (oneLine(nonce) === '') {
      const shortName = Array.from(oneLine(name)).slice(0, newsletterLimits.name).join('')
      const { address } = requestContextOf(response)
      await ask({ email, name: shortName }, { address, source: sourceOf(request) })
    }
    await plain.reply(response, 200, views.askedView)
  }

  router.get(newsletterPaths.form(), (_request, response) =>
    plain.reply(response, 200, views.formView(list)),
  )
  router.post(newsletterPaths.form(), limiter, body, subscribe)
  router.all(newsletterPaths.form(), allowMethods(['GET', 'POST']))
}

/** The path of the page that the form stood on, for the proof of consent; without its query. */
function sourceOf(request: Request): string | null {
  const referrer = request.get('referer')
  if (!referrer || !URL.canParse(referrer)) return null
  return new URL(referrer).pathname.slice(0, 200)
}

/**
 * The pages of a link that unsubscribes.
 * @param options `limiter` how often its address may be asked for; `body` reads a form
 */
function addLeaveRoutes(
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
    if (!subscriber) return plain.reply(response, 404, views.notSubscribedView)
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
    if (!subscriber) return plain.reply(response, 404, views.notSubscribedView)
    await commit((tx) => subscribers.leave(tx, subscriber))
    log.info({ subscriber: subscriber.id }, 'newsletter unsubscribed')
    await plain.reply(response, 200, views.leftView)
  })
  router.all(newsletterPaths.leave(':token'), allowMethods(['GET', 'POST']))
}

const token = (request: Request) => String(request.params.token)

/** The pages of a confirmation link. @param options `limiter` how often its address may be asked for */
function addConfirmationRoutes(
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
  /** The page of a confirmation link, or what is in its place when the link is no good. */
  const confirmation = (request: Request) => {
    const read = confirmationTokens.read(token(request))
    const subscriber = read && subscribers.findSecret(read.secret)
    const good = subscriber && subscriber.round === read.round && subscriber.status !== 'blocked'
    return good ? { ...read, subscriber } : null
  }

  router.get(newsletterPaths.confirm(':token'), limiter, (request, response) => {
    const link = confirmation(request)
    if (!link) return plain.reply(response, 404, views.brokenLinkView)
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
      : plain.reply(response, 404, views.brokenLinkView))
  })

  router.post(newsletterPaths.again(':token'), limiter, async (request, response) => {
    const link = confirmation(request)
    if (!link) return plain.reply(response, 404, views.brokenLinkView)
    const { email } = link.subscriber
    const { address } = requestContextOf(response)
    await ask({ email, name: '' }, { address, source: newsletterPaths.confirm('…') })
    await plain.reply(response, 200, views.askedView)
  })

  router.all(newsletterPaths.again(':token'), allowMethods(['POST']))
  router.all(newsletterPaths.confirm(':token'), allowMethods(['GET', 'POST']))
}
