import express, { Router, type Request } from 'express'
import { dayMs } from '#shared/dates/durations.ts'
import { entriesOf } from '#shared/forms/form.ts'
import { isMailable, looksLikeEmail, typedAddress } from '#shared/newsletter.ts'
import { paths } from '#shared/paths.ts'
import { resultId, toResult } from '#shared/forms/result.ts'
import { stockAlertPaths } from '#shared/shop/stock-alerts.ts'
import type { Http, Platform } from '../../feature.ts'
import { allowMethods } from '../../http/methods.ts'
import { networkOf } from '../../http/connections/client-address.ts'
import { createQuota } from '../../http/limits/limits.ts'
import type { PlainPage } from '../../http/replies/plain-page.ts'
import { requestContextOf } from '../../http/request-context.ts'
import { maskEmail } from '../../logging/log.ts'
import { html } from '../../text/markup.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { titleOf } from '../cart/pricing.ts'
import type { AlertData } from './mails.ts'
import { unconfirmedDays, waitingDays, type StockAlerts } from './store.ts'

/** Forms and links that one address may send and open in ten minutes. */
const alertLimit = { name: 'stockAlerts', seconds: 600, max: 60 }

/** Emails that one network may cause in a day. */
const maxPerNetwork = 20

/**
 * Stock alerts (docs/contract.md, Shop): asked for by a plain form, confirmed by a button behind the link
 * of one email. What a form is answered doesn't tell who waits for what.
 */
export function stockAlertRoutes(
  platform: Pick<Platform, 'clock' | 'commit' | 'keys' | 'log' | 'mails' | 'outbox' | 'shares'>,
  { limit, mount, plain }: Http,
  { catalogue, alerts }: { catalogue: Catalogue; alerts: StockAlerts },
): void {
  const { clock, commit, log, mails, outbox, shares } = platform
  const quota = createQuota({ max: maxPerNetwork, seconds: dayMs / 1000, clock })

  /** Queues the link, unless the mailbox or the network has had enough of them. */
  const ask = async (variant: number, email: string, address: string): Promise<void> => {
    const isFull =
      quota.take(networkOf(platform, address)) > 0 ||
      mails.queuedTo(email, 'stockAlertConfirm', clock() - dayMs) >= shares.settings().mails.mailbox
    const alert = isFull
      ? null
      : await commit((tx) => {
          const asked = alerts.ask(tx, variant, email)
          if (!asked) return null
          mails.enqueue(tx, 'stockAlertConfirm', {
            key: `stock-alert/${asked.id}:${clock()}`,
            about: { thing: 'stock-alert', id: String(asked.id) },
            data: { secret: asked.secret } satisfies AlertData,
            recipient: email,
          })
          return asked
        })
    if (alert) outbox.wake()
    log.info({ email: maskEmail(email), granted: alert !== null }, 'stock alert requested')
  }

  const titleOfVariant = (variant: number): string => {
    const product = catalogue.ofVariant(variant)
    const chosen = product?.variants.find(({ id }) => id === variant)
    return product && chosen ? titleOf(product, chosen) : 'This product'
  }

  const router = Router({ caseSensitive: true, strict: true })
  const limiter = limit(alertLimit)
  const body = express.urlencoded({ extended: false, limit: 8 * 1024, parameterLimit: 20 })

  router.post(stockAlertPaths.ask(), limiter, body, async (request, response) => {
    const {
      handle = '',
      variant = '',
      email: typed = '',
      website = '',
    } = entriesOf(request.body as object | undefined)
    const product = catalogue.findFromLink(handle)
    const chosen = product?.variants.find((each) => each.variant === variant)
    if (!product?.published || !chosen) return plain.reply(response, 404, missingView)
    const email = typedAddress(typed)
    if (!looksLikeEmail(email) || !isMailable(email)) {
      return plain.reply(
        response,
        400,
        formView({ handle, variant, email }, titleOf(product, chosen)),
      )
    }
    // A filled honeypot is answered like everything else.
    if (website === '') await ask(chosen.id, email, requestContextOf(response).address)
    await plain.reply(response, 200, askedView)
  })

  const found = (request: Request) => alerts.find(String(request.params.token))

  router.get(stockAlertPaths.confirm(':token'), limiter, (request, response) => {
    const alert = found(request)
    if (!alert) return plain.reply(response, 404, overView)
    const title = titleOfVariant(alert.variant)
    const view = alert.confirmedAt === null ? confirmView : waitingView
    return plain.reply(response, 200, view(alert.secret, title))
  })
  router.post(stockAlertPaths.confirm(':token'), limiter, async (request, response) => {
    const alert = found(request)
    if (!alert) return plain.reply(response, 404, overView)
    if (alert.confirmedAt === null) await commit((tx) => alerts.confirm(tx, alert))
    await plain.reply(response, 200, waitingView(alert.secret, titleOfVariant(alert.variant)))
  })
  router.post(stockAlertPaths.stop(':token'), limiter, async (request, response) => {
    const alert = found(request)
    if (alert) await commit((tx) => alerts.remove(tx, alert))
    await plain.reply(response, 200, stoppedView)
  })
  router.all(stockAlertPaths.ask(), allowMethods(['POST']))
  router.all(stockAlertPaths.confirm(':token'), allowMethods(['GET', 'POST']))
  router.all(stockAlertPaths.stop(':token'), allowMethods(['POST']))
  mount(router)
}

const shop = html`<p class="way"><a href="${paths.shop()}">Back to the shop</a></p>`

const missingView: PlainPage = {
  title: 'Not in our shop',
  body: html`<h1 id="${resultId}" tabindex="-1">That isn’t in our shop</h1>
    <p>It may have been renamed or withdrawn.</p>
    ${shop}`,
}

/** The form again, with what was entered. */
const formView = (
  { handle, variant, email }: { handle: string; variant: string; email: string },
  title: string,
): PlainPage => ({
  title: 'Tell me when it’s back',
  body: html`<h1>Tell me when it’s back</h1>
    <p>${title} is sold out. We’ll send one email when it’s back.</p>
    <form method="post" action="${toResult(stockAlertPaths.ask())}" novalidate>
      <input type="hidden" name="handle" value="${handle}" />
      <input type="hidden" name="variant" value="${variant}" />
      <label
        >Email
        <input
          type="email"
          name="email"
          autocomplete="email"
          value="${email}"
          id="${resultId}"
          aria-invalid="true"
          aria-describedby="email-wrong"
        />
        <span class="wrong" id="email-wrong">Please enter a valid email address</span>
      </label>
      <button>Email me</button>
    </form>`,
})

const askedView: PlainPage = {
  title: 'Confirm in your inbox',
  body: html`<h1 id="${resultId}" tabindex="-1">One more step: confirm in your inbox</h1>
    <p role="status">
      We’ve emailed you a link, unless you’re already waiting for this. Open it and click the
      button.
    </p>
    <p>Nothing after ten minutes? Check your spam folder.</p>
    ${shop}`,
}

const confirmView = (token: string, title: string): PlainPage => ({
  title: 'Email me when it’s back',
  body: html`<h1 id="${resultId}" tabindex="-1">Email you when it’s back?</h1>
    <p>
      ${title}. One email, when it’s in stock again within ${waitingDays} days; then we delete your
      address. The link works for ${unconfirmedDays} days.
    </p>
    <form method="post" action="${toResult(stockAlertPaths.confirm(token))}">
      <button>Yes, email me</button>
    </form>`,
})

const waitingView = (token: string, title: string): PlainPage => ({
  title: 'We’ll email you',
  body: html`<h1 id="${resultId}" tabindex="-1">We’ll email you when it’s back</h1>
    <p role="status">${title}. One email, then we delete your address.</p>
    <form method="post" action="${toResult(stockAlertPaths.stop(token))}">
      <button>Changed your mind? Stop</button>
    </form>
    ${shop}`,
})

const stoppedView: PlainPage = {
  title: 'We won’t email you',
  body: html`<h1 id="${resultId}" tabindex="-1">We won’t email you about it</h1>
    <p role="status">Your request is deleted.</p>
    ${shop}`,
}

const overView: PlainPage = {
  title: 'This link has expired',
  body: html`<h1 id="${resultId}" tabindex="-1">This link has expired</h1>
    <p>We’ve already emailed you, or your request was cancelled. You can ask again in the shop.</p>
    ${shop}`,
}
