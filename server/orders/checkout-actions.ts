import type { CheckoutForm, CheckoutReply, CheckoutRequest } from '#shared/orders.ts'
import { failure } from '#shared/failures.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Platform } from '../feature.ts'
import { sentProof } from '../form-proofs.ts'
import type { RequestContext } from '../http/request-context.ts'
import type { OrderDeps } from './order-deps.ts'
import { placeOrder } from './checkout.ts'
import type { Invoices } from './invoices.ts'
import { orderMail } from './mails.ts'
import { endOrder, expireKind, type PaymentDeps } from './ending.ts'
import type { Order } from './order.ts'
import { paidCarts } from './paid-carts.ts'
import { paymentPages } from './payment-pages.ts'
import { exemptionOf } from './terms.ts'

/** Makes what the checkout does: its form, and placing the order. */
export function checkoutActions(
  platform: Platform,
  deps: OrderDeps,
  {
    successUrl,
    refreshed,
  }: {
    successUrl: (order: Order) => string
    /** An order after asking the payment service whether it has been paid. */
    refreshed: (order: Order) => Promise<Order>
  },
) {
  const { commit, clock, formProofs, log, outbox } = platform
  const { shop, orders, invoices, access, stripe, seller } = deps
  const money = { platform, orders, invoices, shop }

  const replyOf = (order: Order, repeat: boolean, next: string): CheckoutReply => ({
    success: true,
    order: order.number,
    token: access.tokenOf(order),
    total: order.total,
    next,
    ...(repeat && { repeat }),
  })

  const paymentPage = paymentPages(platform, deps, successUrl)
  const { refuseTwice, emptied } = paidCarts(deps, { clock, successUrl, refreshed })
  const release = (tx: Transaction, cart: number) => cancelUnpaid(tx, money, cart)

  return {
    /** What the checkout page is made from. */
    form: (requestContext: RequestContext): CheckoutForm => checkoutForm(deps, requestContext),

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
        const read = formProofs.read(sentProof(requestContext))
        const isProven = read !== null && formProofs.use(tx, read)
        tellPlaced(tx, platform, placed.order, { invoices, isProven })
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

/** Ends the orders of a cart that wait for their payment. @returns all of them that are not paid */
function cancelUnpaid(tx: Transaction, money: PaymentDeps, cart: number): readonly Order[] {
  const unpaid = money.orders.unpaidOf(cart)
  for (const order of unpaid) {
    if (order.state !== 'pending') continue
    endOrder(tx, money, order, { to: 'cancelled', actor: 'visitor', note: 'ordered anew' })
  }
  return unpaid
}

/** What the checkout page of a visitor's cart is made from. */
function checkoutForm(
  { shop, stripe, countries }: OrderDeps,
  requestContext: RequestContext,
): CheckoutForm {
  const { lines } = shop.price(shop.cartOf(requestContext))
  return {
    payments: stripe ? ['invoice', 'stripe'] : ['invoice'],
    countries: [...countries],
    needs: {
      address: lines.some(({ product }) => product.kind === 'physical'),
      waiver: lines.some(({ product }) => product.kind === 'digital'),
    },
    exempt: lines.flatMap(({ title, product: { kind, madeToOrder } }) => {
      const why = exemptionOf({ kind, madeToOrder }, { digitalWaiver: false })
      return why ? [{ title, why }] : []
    }),
  }
}

/** Notes that an order was placed; mails about it go out now if it is invoiced, otherwise once it is paid. */
function tellPlaced(
  tx: Transaction,
  { mails, jobs, timeline }: Pick<Platform, 'mails' | 'jobs' | 'timeline'>,
  order: Order,
  { invoices, isProven }: { invoices: Invoices; isProven: boolean },
): void {
  timeline.record(tx, {
    thing: 'order',
    thingId: order.number,
    actor: 'visitor',
    act: 'placed',
    after: order.state,
    note: isProven ? null : 'without the answer to the sum',
  })
  if (order.state === 'open') {
    const invoice = invoices.invoiceOf(order.id)!.number
    orderMail(tx, mails, 'orderConfirmed', order, invoice)
    orderMail(tx, mails, 'orderPlacedStaff', order, invoice, { isProven })
  } else {
    jobs.schedule(tx, expireKind, order.number, order.reservedUntil!)
  }
}
