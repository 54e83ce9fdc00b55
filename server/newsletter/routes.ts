import express, { Router, type Request, type Response } from 'express'
import {
  isMailable,
  looksLikeEmail,
  newsletterLimits,
  newsletterPaths,
  newsletterPolicy,
  ownList,
} from '#shared/newsletter.ts'
import { networkOf } from '../http/network-of.ts'
import type { Http, Platform } from '../feature.ts'
import { requestContextOf } from '../http/request-context.ts'
import { maskEmail } from '../log/log.ts'
import { isBlockedDomain } from './blocked-domains.ts'
import type { ConfirmData } from './mails.ts'
import type { Subscribers } from './store.ts'
import type { ConfirmationTokens } from './tokens.ts'
import * as views from './views.ts'

/** The newsletter's forms and links. */
const subscribing = { name: 'subscribe', seconds: 600, most: 60 }
/** Unsubscribing, which one mail provider may do for many people at once. */
const leaving = { name: 'leave', seconds: 60, most: 600 }

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
  const { config, clock, commit, log, mails, outbox } = platform
  const list = config.newsletter.list ?? ownList
  const router = Router()
  const body = express.urlencoded({ extended: false, limit: 16 * 1024, parameterLimit: 50 })

  /** Takes a request for the newsletter; whether a mail goes out, only the log knows. */
  const ask = async (
    person: { email: string; name: string },
    { address, source }: { address: string; source: string | null },
  ) => {
    const network = networkOf(platform, address)
    const proof = { network, policy: newsletterPolicy.version, source }
    const granted =
      !isBlockedDomain(person.email) &&
      (await commit((tx) => {
        const after = clock() - 86_400_000
        // However it is spelt, a mailbox gets one such mail a day.
        if (mails.queuedTo(person.email, 'newsletterConfirm', after) > 0) return false
        const answer = subscribers.ask(tx, person, proof)
        if (answer === null) return false
        const { subscriber, dueAt } = answer
        const data: ConfirmData = { subscriber: subscriber.id, from: dueAt }
        return mails.enqueue(tx, 'newsletterConfirm', {
          key: `subscriber/${subscriber.id}:${clock()}`,
          data,
          dueAt,
          recipient: person.email,
        })
      }))
    if (granted) outbox.wake()
    log.info({ email: maskEmail(person.email), granted }, 'newsletter asked for')
  }

  const subscribe = async (request: Request, response: Response) => {
    const fields = (request.body ?? {}) as Record<string, unknown>
    const lists = [fields.l].flat().filter((each) => each !== undefined)
    const email = text(fields.email)
    if (lists.length === 0 || lists.some((each) => each !== list)) {
      return plain.reply(response, 400, views.unknownListView)
    }
    if (!looksLikeEmail(email) || !isMailable(email)) {
      return plain.reply(response, 400, views.invalidView(list, email))
    }
    // A filled honeypot is answered like everything else.
    if (text(fields.nonce) === '') {
      const name = Array.from(text(fields.name)).slice(0, newsletterLimits.name).join('')
      const { address } = requestContextOf(response)
      await ask({ email, name }, { address, source: sourceOf(request) })
    }
    await plain.reply(response, 200, views.askedView)
  }

  const token = (request: Request) => String(request.params.token)

  /** The page of a confirmation link, or what stands in its place when the link is no good. */
  const confirmation = (request: Request) => {
    const read = confirmationTokens.read(token(request))
    const subscriber = read && subscribers.findId(read.id)
    const good = subscriber && subscriber.round === read.round && subscriber.status !== 'blocked'
    return good ? { ...read, subscriber } : null
  }

  router.get(newsletterPaths.form(), (_request, response) =>
    plain.reply(response, 200, views.formView(list)),
  )
  router.post(newsletterPaths.form(), limit(subscribing), body, subscribe)

  router.get(newsletterPaths.confirm(':token'), limit(subscribing), (request, response) => {
    const link = confirmation(request)
    if (!link) return plain.reply(response, 404, views.voidView)
    if (link.subscriber.status === 'subscribed') {
      return plain.reply(response, 200, views.confirmedView)
    }
    if (link.expired) return plain.reply(response, 410, views.expiredView(token(request)))
    return plain.reply(response, 200, views.confirmView(token(request)))
  })

  router.post(newsletterPaths.confirm(':token'), limit(subscribing), async (request, response) => {
    const link = confirmation(request)
    if (link?.expired && link.subscriber.status !== 'subscribed') {
      return plain.reply(response, 410, views.expiredView(token(request)))
    }
    const { address } = requestContextOf(response)
    const proof = { network: networkOf(platform, address), policy: newsletterPolicy.version }
    const confirmed =
      link !== null && (await commit((tx) => subscribers.confirm(tx, link.id, link.round, proof)))
    if (confirmed) log.info({ subscriber: link.id }, 'newsletter confirmed')
    await (confirmed
      ? plain.reply(response, 200, views.confirmedView)
      : plain.reply(response, 404, views.voidView))
  })

  router.post(newsletterPaths.again(':token'), limit(subscribing), async (request, response) => {
    const link = confirmation(request)
    if (!link) return plain.reply(response, 404, views.voidView)
    const { email } = link.subscriber
    const { address } = requestContextOf(response)
    await ask({ email, name: '' }, { address, source: newsletterPaths.confirm('…') })
    await plain.reply(response, 200, views.askedView)
  })

  router.get(newsletterPaths.leave(':token'), limit(leaving), (request, response) => {
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
  router.post(newsletterPaths.leave(':token'), limit(leaving), body, async (request, response) => {
    const subscriber = subscribers.findToken(token(request))
    if (!subscriber) return plain.reply(response, 404, views.nobodyView)
    await commit((tx) => subscribers.leave(tx, subscriber))
    log.info({ subscriber: subscriber.id }, 'newsletter left')
    await plain.reply(response, 200, views.leftView)
  })

  router.use('/subscription', plain.failures(views.failedView))
  openPath(leavePaths)
  mount(router)
}

const text = (value: unknown): string => {
  const first: unknown = Array.isArray(value) ? value[0] : value
  return typeof first === 'string' ? first.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ').trim() : ''
}

/** The path of the page that the form stood on, for the proof of consent; without its query. */
function sourceOf(request: Request): string | null {
  const referrer = request.get('referer')
  if (!referrer || !URL.canParse(referrer)) return null
  return new URL(referrer).pathname.slice(0, 200)
}
