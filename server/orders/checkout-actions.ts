import type { CheckoutForm, CheckoutReply, CheckoutRequest } from '#shared/orders.ts'
import { failure } from '#shared/failures.ts'
import { paths } from '#shared/paths.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Platform } from '../feature.ts'
import type { RequestContext } from '../http/request-context.ts'
import type { OrderParts } from './order-parts.ts'
import { placeOrder } from './checkout.ts'
import { orderMail } from './mails.ts'
import { endReservation, expireKind } from './payments.ts'
import type { Order } from './order.ts'
import { exemptionOf } from './terms.ts'

/** Makes what the checkout does: its form, and placing the order. */
export function checkoutActions(
  platform: Platform,
  parts: OrderParts,
  successUrl: (order: Order) => string,
) {
  const { commit, clock, config, jobs, log, mails, outbox, timeline } = platform
  const { shop, orders, invoices, access, stripe, seller } = parts

  const replyOf = (order: Order, repeat: boolean, next: string): CheckoutReply => ({
    success: true,
    order: order.number,
    token: access.tokenOf(order),
    total: order.total,
    next,
    ...(repeat && { repeat }),
  })

  /** Opens the payment page of an order, or gives the one that is open. @throws payment-down */
  const paymentPage = async (order: Order): Promise<string> => {
    if (order.state !== 'pending') return successUrl(order)
    if (order.sessionUrl !== null) return order.sessionUrl
    if (!stripe) throw failure('payment-down')
    const page = await stripe.open(order, {
      success: successUrl(order),
      cancel: config.siteUrl + paths.checkout(),
    })
    await commit((tx) => {
      const now = orders.findId(order.id)!
      if (now.session === null) {
        orders.change(tx, now, { session: page.session, sessionUrl: page.url })
      }
    })
    return page.url
  }

  /** Ends what earlier orders of a cart still hold. @param left takes their payment pages */
  const releaseInto = (left: string[]) => (tx: Transaction, cart: number) => {
    for (const order of orders.waitingOf(cart)) {
      endReservation(tx, { platform, orders, shop }, order, 'visitor')
      jobs.cancel(tx, expireKind, order.number)
      if (order.session !== null) left.push(order.session)
    }
  }

  /** Closes payment pages that were left, so that nobody pays twice; nobody waits for it. */
  const closePages = (sessions: readonly string[]) => {
    for (const session of sessions) {
      stripe?.close(session).catch((err: unknown) => {
        log.warn({ err, session }, 'a payment page that was left could not be closed')
      })
    }
  }

  return {
    /** What the checkout page is made from. */
    form(requestContext: RequestContext): CheckoutForm {
      const { lines } = shop.price(shop.cartOf(requestContext))
      return {
        payments: stripe ? ['invoice', 'stripe'] : ['invoice'],
        countries: [...parts.countries],
        needs: {
          address: lines.some(({ product }) => product.kind === 'physical'),
          waiver: lines.some(({ product }) => product.kind === 'digital'),
        },
        exempt: lines.flatMap(({ title, product: { kind, madeToOrder } }) => {
          const why = exemptionOf({ kind, madeToOrder }, { digitalWaiver: false })
          return why ? [{ title, why }] : []
        }),
      }
    },

    /** Places an order; see {@link placeOrder} for what it throws, and payment-down. */
    async checkout(
      request: CheckoutRequest,
      requestContext: RequestContext,
    ): Promise<CheckoutReply> {
      if (request.payment === 'stripe' && !stripe) {
        throw failure('invalid', { errors: { payment: 'Please choose another way to pay' } })
      }
      if (request.website)
        throw failure('invalid', { errors: { website: 'Please leave this empty' } })
      const sells = await seller()
      const cart = shop.cartOf(requestContext)
      const left: string[] = []
      const { order, repeat } = await commit((tx) => {
        const placed = placeOrder(
          tx,
          { shop, orders, invoices, clock, release: releaseInto(left) },
          { request, cart, seller: sells },
        )
        if (placed.repeat) return placed
        timeline.record(tx, {
          thing: 'order',
          thingId: placed.order.number,
          actor: 'visitor',
          act: 'placed',
          after: placed.order.state,
        })
        if (placed.order.state === 'open') {
          const invoice = invoices.invoiceOf(placed.order.id)!.number
          orderMail(tx, mails, 'orderConfirmed', placed.order, invoice)
          orderMail(tx, mails, 'orderPlacedStaff', placed.order, invoice)
        } else {
          jobs.schedule(tx, expireKind, placed.order.number, placed.order.reservedUntil!)
        }
        return placed
      })
      if (!repeat) {
        outbox.wake()
        closePages(left)
        log.info(
          { order: order.number, total: order.total, payment: order.payment },
          'order placed',
        )
      }
      if (order.payment === 'invoice') return replyOf(order, repeat, successUrl(order))
      return replyOf(order, repeat, await paymentPage(order))
    },
  }
}
