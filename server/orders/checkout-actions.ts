import type { CheckoutForm, CheckoutReply, CheckoutRequest } from '#shared/orders.ts'
import { failure } from '#shared/failures.ts'
import { orderLimits } from '#shared/order-limits.ts'
import { paths } from '#shared/paths.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Platform } from '../feature.ts'
import type { RequestContext } from '../http/request-context.ts'
import { withTimeout } from '../timeout.ts'
import type { OrderParts } from './order-parts.ts'
import { cartKeyOf, placeOrder } from './checkout.ts'
import { orderMail } from './mails.ts'
import { endOrder, expireKind, leavePage } from './ending.ts'
import type { Order } from './order.ts'
import { exemptionOf } from './terms.ts'

/** Milliseconds that a second try waits for word of the first one's payment. */
const patience = 3_000

/** Makes what the checkout does: its form, and placing the order. */
export function checkoutActions(
  platform: Platform,
  parts: OrderParts,
  {
    successUrl,
    refreshed,
  }: {
    successUrl: (order: Order) => string
    /** An order after asking the payment service whether it has been paid. */
    refreshed: (order: Order) => Promise<Order>
  },
) {
  const { commit, clock, config, formProofs, jobs, log, mails, outbox, timeline } = platform
  const { shop, orders, invoices, access, stripe, seller } = parts
  const money = { platform, orders, invoices, shop }

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
    const isOver = await commit((tx) => {
      const now = orders.findId(order.id)!
      if (now.session === null) {
        orders.change(tx, now, { session: page.session, sessionUrl: page.url })
        // It was over before its page was there.
        if (now.state !== 'pending') leavePage(tx, { platform }, now)
      }
      return now.state !== 'pending'
    })
    return isOver ? successUrl(order) : page.url
  }

  /** Ends the orders of a cart that wait for their payment. @returns all of them that nobody has paid */
  const release = (tx: Transaction, cart: number): readonly Order[] => {
    const unpaid = orders.unpaidOf(cart)
    for (const order of unpaid) {
      if (order.state !== 'pending') continue
      endOrder(tx, money, order, { to: 'cancelled', actor: 'visitor', note: 'ordered anew' })
    }
    return unpaid
  }

  /**
   * Asks for what was paid of a cart while its visitor came back to order again.
   * @throws price when an order of the cart turns out to be paid: nobody pays it twice
   */
  const refuseTwice = async (cart: number | null, key: string): Promise<void> => {
    if (cart === null || orders.ofKey(cartKeyOf(cart, key))) return
    for (const order of orders.unpaidOf(cart)) {
      if (order.state !== 'pending') continue
      const now = await withTimeout(refreshed(order), patience).catch(() => order)
      if (now.state !== 'paid') continue
      throw failure('price', {
        message: `Your order ${order.number} from this cart is paid already: nothing was ordered again. The confirmation is in your mail.`,
        details: { ...shop.cartView(shop.price(cart)), ...wayTo(order) },
      })
    }
  }

  /** An order and its page, for whoever has the cart that it was placed from. */
  const wayTo = (order: Order) => ({ order: order.number, next: successUrl(order) })

  /** What is said of an empty cart: which order it has just become, as when a second tab sends it. */
  const emptied = (cart: number | null) => {
    const order = cart === null ? null : orders.latestOf(cart)
    if (!order || clock() - order.placedAt > orderLimits.successHours * 3_600_000) {
      return { message: 'Your cart is empty.', details: { lines: [], total: 0 } }
    }
    const mail = order.payment === 'invoice' ? 'its invoice' : 'the confirmation'
    const state = order.paidAt === null ? 'placed' : 'paid'
    return {
      message: `Your order ${order.number} from this cart is ${state} already: nothing was ordered again. You have ${mail} in your mail.`,
      details: { lines: [], total: 0, ...wayTo(order) },
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
      await refuseTwice(cart, request.key)
      const { order, repeat } = await commit((tx) => {
        const placed = placeOrder(
          tx,
          { shop, orders, invoices, clock, release, emptied },
          { request, cart, seller: sells },
        )
        if (placed.repeat) return placed
        const read = formProofs.read(requestContext.proof)
        const isProven = read !== null && formProofs.use(tx, read)
        timeline.record(tx, {
          thing: 'order',
          thingId: placed.order.number,
          actor: 'visitor',
          act: 'placed',
          after: placed.order.state,
          note: isProven ? null : 'without the answer to the sum',
        })
        if (placed.order.state === 'open') {
          const invoice = invoices.invoiceOf(placed.order.id)!.number
          orderMail(tx, mails, 'orderConfirmed', placed.order, invoice)
          orderMail(tx, mails, 'orderPlacedStaff', placed.order, invoice, { isProven })
        } else {
          jobs.schedule(tx, expireKind, placed.order.number, placed.order.reservedUntil!)
        }
        return placed
      })
      if (!repeat) {
        outbox.wake()
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
