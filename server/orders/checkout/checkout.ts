import type { CheckoutForm, CheckoutReply, CheckoutRequest } from '#shared/shop/orders.ts'
import { deliveryWords } from '#shared/shop/delivery-words.ts'
import { failure } from '#shared/failures.ts'
import { orderLimits } from '#shared/shop/order-limits.ts'
import type { ProductKind } from '#shared/shop/limits.ts'
import type { Transaction } from '../../db/group-commit.ts'
import type { Platform } from '../../feature.ts'
import { sentProof } from '../../secrets/form-proofs.ts'
import type { RequestContext } from '../../http/request-context.ts'
import type { OrderDeps } from '../order-deps.ts'
import { placeOrder } from './place-order.ts'
import { needsFullAddress } from '../documents/bookings/booking-draft.ts'
import type { Invoices } from '../documents/invoices.ts'
import { orderMail } from '../mails/mails.ts'
import { endOrder, expireKind, type PaymentDeps } from '../payment/end-order.ts'
import type { Order } from '../order.ts'
import { paymentPages } from '../payment/card-payment.ts'
import { noun, waitingMessage } from '../shares.ts'
import { exemptionOf } from '../withdrawal/right.ts'
import { hourMs } from '#shared/dates/durations.ts'
import { withTimeout } from '../../concurrency/timeout.ts'

/** The message for a filled honeypot, which the form empties as it comes back. */
const trapped =
  'A hidden field was filled in, perhaps by your browser. It’s empty again: please send your order once more.'

/** Creates the checkout: its form, and placing the order. */
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
  const { commit, clock, formProofs, log, outbox, shares } = platform
  const { shop, orders, invoices, payouts, access, stripe, seller, clientIn } = deps
  const paymentDeps = { platform, orders, invoices, payouts, shop }

  const messageOf = ({ state, number }: Order): Pick<CheckoutReply, 'message'> => {
    const claim = state === 'waiting' ? shares.waiting(noun, number) : null
    return claim ? { message: waitingMessage(claim) } : {}
  }

  const replyOf = (order: Order, repeat: boolean, next: string): CheckoutReply => ({
    success: true,
    order: order.number,
    token: access.tokenOf(order),
    total: order.total,
    next,
    ...messageOf(order),
    ...(repeat && { repeat }),
  })

  const paymentPage = paymentPages(platform, deps, successUrl)
  const { refuseTwice, emptied } = paidCarts(deps, { clock, successUrl, refreshed })
  const release = (tx: Transaction, cart: number) => cancelUnpaid(tx, paymentDeps, cart)

  return {
    /** The data of the checkout page. */
    form: (requestContext: RequestContext): Promise<CheckoutForm> =>
      checkoutForm(deps, requestContext),

    /** Places an order; see {@link placeOrder} for what it throws, and payment-down. */
    async checkout(
      request: CheckoutRequest,
      requestContext: RequestContext,
    ): Promise<CheckoutReply> {
      if (request.payment === 'stripe' && !stripe) {
        throw failure('invalid', { errors: { payment: 'Please choose another way to pay' } })
      }
      if (request.website) throw failure('invalid', { message: trapped })
      const isOwn = clientIn(requestContext)?.owns(request.email) ?? false
      const cart = shop.cartOf(requestContext)
      const [sellerNow, vat] = await Promise.all([seller(), shop.vatOf(request.vatId, request)])
      await refuseTwice(cart, request.key)
      const { order, repeat } = await commit((tx) => {
        const placed = placeOrder(
          tx,
          {
            shop,
            orders,
            invoices,
            clock,
            shares,
            terms: deps.terms,
            release,
            emptied,
            isOnAccount: deps.accounts.has,
          },
          {
            request,
            vat,
            cart,
            seller: sellerNow,
            sender: shares.sender({ email: request.email, address: requestContext.address }),
            isOwn,
          },
        )
        if (placed.repeat) return placed
        const read = formProofs.read(sentProof(requestContext))
        const isProven = read !== null && formProofs.use(tx, read)
        tellPlaced(tx, platform, placed.order, { invoices, isProven })
        if (placed.reached) shares.reached(tx, noun, placed.reached.limit)
        return placed
      })
      if (!repeat) {
        outbox.wake()
        log.info(
          { order: order.number, total: order.total, payment: order.payment },
          'order placed',
        )
      }
      if (order.payment === 'invoice' || order.state === 'waiting')
        return replyOf(order, repeat, successUrl(order))
      return replyOf(order, repeat, await paymentPage(order))
    },
  }
}

/** Ends the orders of a cart that wait for their payment. @returns all of them that are not paid */
function cancelUnpaid(tx: Transaction, deps: PaymentDeps, cart: number): readonly Order[] {
  const unpaid = deps.orders.unpaidOf(cart)
  for (const order of unpaid) {
    if (order.state !== 'pending') continue
    endOrder(tx, deps, order, { to: 'cancelled', actor: 'visitor', note: 'ordered anew' })
  }
  return unpaid
}

/** The buyer assumed before anything is entered. */
const consumer = { digitalWaiver: false, company: null, vatId: null, onAccount: false }

/** What the checkout page of a visitor's cart is made from. */
async function checkoutForm(
  { shop, stripe, countries, clientIn, accounts, seller }: OrderDeps,
  requestContext: RequestContext,
): Promise<CheckoutForm> {
  const { lines, total } = shop.price(shop.cartOf(requestContext))
  const client = clientIn(requestContext)
  const isOnAccount = client !== null && accounts.list().some(({ email }) => client.owns(email))
  const has = (kind: ProductKind) => lines.some(({ product }) => product.kind === kind)
  const { address } = await seller()
  // Methods without credit come first (Consumer Protection Act 6:12 b).
  const ways = isOnAccount ? (['stripe', 'invoice'] as const) : (['invoice', 'stripe'] as const)
  return {
    payments: ways.filter((way) => way === 'invoice' || stripe),
    countries: [...countries],
    needs: {
      address: has('physical') || needsFullAddress({ company: null, total }),
      waiver: has('digital'),
      early: has('service'),
    },
    // By card such a company has paid with its order.
    delivery: lines.map(({ title, product }) => ({
      title,
      words: deliveryWords(product, 'after withdrawal', isOnAccount ? 'order' : 'payment'),
    })),
    pickup: has('physical') && address.length > 0 ? { address: address.join(', ') } : null,
    creditDays: isOnAccount ? orderLimits.dueDays : null,
    exempt: lines.flatMap(({ title, product: { kind, madeToOrder } }) => {
      const why = exemptionOf({ kind, madeToOrder }, consumer)
      return why ? [{ title, why }] : []
    }),
  }
}

/** Notes that an order was placed; emails about it go out now if it is invoiced, otherwise once it is paid. */
function tellPlaced(
  tx: Transaction,
  { mails, jobs, timeline, shares }: Pick<Platform, 'mails' | 'jobs' | 'timeline' | 'shares'>,
  order: Order,
  { invoices, isProven }: { invoices: Invoices; isProven: boolean },
): void {
  timeline.record(tx, {
    thing: 'order',
    thingId: order.number,
    actor: 'visitor',
    act: 'placed',
    after: order.state,
    note: isProven ? null : 'spam check skipped',
  })
  const claim = order.state === 'waiting' ? shares.waiting(noun, order.number) : null
  if (claim) {
    jobs.schedule(tx, expireKind, order.number, claim.until)
    if (claim.parked !== 'link') return
    if (shares.mayMail(order.email, 'orderWaiting')) {
      orderMail(tx, mails, 'orderWaiting', order, null)
    } else {
      shares.claims.change(tx, claim, { parked: 'staff' })
    }
    return
  }
  if (order.reservedUntil !== null) {
    jobs.schedule(tx, expireKind, order.number, order.reservedUntil)
  }
  if (order.state === 'open' || order.state === 'paid') {
    const invoice = invoices.invoiceOf(order.id)!.number
    orderMail(tx, mails, 'orderConfirmed', order, invoice)
    orderMail(tx, mails, 'orderPlacedStaff', order, invoice, { isProven })
  }
}

/** Milliseconds that a second try waits for news of the first one's payment. */
const paymentTimeout = 2_000

/** Creates the answers about a cart that has already been ordered, so it isn't paid twice. */
function paidCarts(
  { shop, orders }: Pick<OrderDeps, 'shop' | 'orders'>,
  {
    clock,
    successUrl,
    refreshed,
  }: {
    clock: () => number
    successUrl: (order: Order) => string
    /** An order after asking the payment service whether it has been paid. */
    refreshed: (order: Order) => Promise<Order>
  },
) {
  /** An order and its page, for the holder of the cart that it was placed from. */
  const wayTo = (order: Order) => ({ order: order.number, next: successUrl(order) })

  /**
   * Checks whether a cart was paid in the meantime, when its visitor comes back to order again.
   * @throws price when an order of the cart turns out to be paid
   */
  const refuseTwice = async (cart: number | null, key: string): Promise<void> => {
    if (cart === null || orders.ofSubmission({ cart, key })) return
    for (const order of orders.unpaidOf(cart)) {
      if (order.state !== 'pending') continue
      const now = await withTimeout(refreshed(order), paymentTimeout).catch(() => order)
      if (now.state !== 'paid') continue
      throw failure('price', {
        message: `Order ${order.number} from this cart is already paid, so nothing was ordered again. The confirmation is in your inbox.`,
        details: { ...shop.cartView(shop.price(cart)), ...wayTo(order) },
      })
    }
  }

  /** The answer for an empty cart: the order it has just become, as when a second tab submits it. */
  const emptied = (cart: number | null) => {
    const order = cart === null ? null : orders.latestOf(cart)
    if (!order || clock() - order.placedAt > orderLimits.successHours * hourMs) {
      return { message: 'Your cart is empty.', details: { lines: [], total: 0 } }
    }
    if (order.state === 'waiting') {
      return {
        message: `Order ${order.number} from this cart is on hold. Its page says what happens next.`,
        details: { lines: [], total: 0, ...wayTo(order) },
      }
    }
    const mail = order.payment === 'invoice' ? 'its invoice' : 'the confirmation'
    const state = order.paidAt === null ? 'placed' : 'paid'
    return {
      message: `Order ${order.number} from this cart is already ${state}, so nothing was ordered again. You’ll find ${mail} in your inbox.`,
      details: { lines: [], total: 0, ...wayTo(order) },
    }
  }

  return { refuseTwice, emptied }
}
