import { dateAt } from '#shared/civil-dates.ts'
import { failure } from '#shared/failures.ts'
import type { Transaction } from '../db/group-commit.ts'
import { giveBack } from './checkout.ts'
import { endOrder, expireKind, payBackKind, type PaymentDeps } from './ending.ts'
import type { Seller } from './invoice-document.ts'
import { decideLatePayment } from './late-payment.ts'
import { orderMail } from './mails.ts'
import type { SessionState } from './stripe.ts'
import type { Order } from './order.ts'

/**
 * What became of a payment: it made its order paid, it was told before, staff have to look at it, it
 * goes back because another order took the place of its own, it is of no order or not made yet, or it
 * has another amount than its order.
 */
export type PaymentOutcome = 'paid' | 'repeat' | 'attention' | 'back' | 'ignored' | 'wrong-amount'

/**
 * Takes what the payment service says of a session; belongs into a transaction. The order becomes
 * paid once, by compare-and-swap. Money that comes late is handled by {@link decideLatePayment}: an order that
 * cannot be filled is kept in state `attention`, for staff or until its money is back.
 */
export function takePayment(
  tx: Transaction,
  deps: PaymentDeps,
  state: SessionState,
  seller: Seller,
): PaymentOutcome {
  const { orders, platform } = deps
  const order = orders.ofSession(state.session)
  if (!order && state.paid) {
    platform.log.warn({ session: state.session }, 'payment without order')
  }
  if (!order || !state.paid) return 'ignored'
  if (order.paidAt !== null) return 'repeat'
  if (state.amount !== order.total || state.currency !== 'eur') {
    platform.log.error(
      { order: order.number, amount: state.amount, currency: state.currency, alert: true },
      'payment amount differs from order',
    )
    // Staff pay it back, so its pieces are for sale again.
    if (order.state === 'pending') giveBack(tx, deps.shop, order.lines)
    const kept = settle(tx, deps, order, { ...state, amount: state.amount ?? 0 }, 'attention')
    if (kept) orderMail(tx, platform.mails, 'orderAttention', kept, null)
    return 'wrong-amount'
  }
  const decision = order.state === 'pending' ? 'take' : decideLatePayment(tx, deps, order)
  const settled = settle(
    tx,
    deps,
    order,
    { ...state, amount: order.total },
    decision === 'take' ? 'paid' : 'attention',
  )
  // Takes everything back; the event comes again.
  if (!settled) throw failure('clash')
  if (decision === 'take') {
    const invoice = deps.invoices.issue(tx, settled, seller, { paid: true })
    orderMail(tx, platform.mails, 'orderConfirmed', settled, invoice.number)
    orderMail(tx, platform.mails, 'orderPlacedStaff', settled, invoice.number)
    emptyCart(tx, deps, settled)
    return 'paid'
  }
  if (decision === 'back') {
    platform.jobs.schedule(tx, payBackKind, order.number, platform.clock())
    orderMail(tx, platform.mails, 'orderPaidTwiceStaff', settled, null)
    return 'back'
  }
  orderMail(tx, platform.mails, 'orderAttention', settled, null)
  orderMail(tx, platform.mails, 'orderDelayed', settled, null)
  return 'attention'
}

/** What was paid for is no longer in the cart; what was put there meanwhile stays. */
function emptyCart(tx: Transaction, { orders, shop }: PaymentDeps, order: Order): void {
  const cart = orders.cartOf(order.id)
  if (cart === null) return
  for (const { variantId } of order.lines) {
    if (variantId !== null) shop.carts.drop(tx, cart, variantId)
  }
}

/**
 * Records money for an invoice; belongs into a transaction. With the whole of it the order is paid,
 * and its buyer is told so, once.
 * @returns false when this payment was told before
 */
export function takeTransfer(
  tx: Transaction,
  { orders, invoices, platform }: Omit<PaymentDeps, 'shop'>,
  order: Order,
  {
    source,
    amount,
    paidOn,
    actor,
  }: { source: string; amount: number; paidOn: string; actor: string },
): { recorded: boolean; order: Order } {
  if (!orders.pay(tx, { order: order.id, source, amount, paidOn }))
    return { recorded: false, order }
  const isWhole = orders.paid(order.id) >= order.total
  const changed =
    isWhole && order.paidAt === null
      ? orders.change(tx, order, {
          state: order.state === 'open' ? 'paid' : order.state,
          paidAt: platform.clock(),
        })
      : order
  platform.timeline.record(tx, {
    thing: 'order',
    thingId: order.number,
    actor,
    act: 'payment',
    before: order.state,
    after: changed?.state ?? order.state,
    note: `${amount} cents, ${source}`,
  })
  if (
    order.paidAt === null &&
    (changed?.state === 'paid' || changed?.state === 'shipped') &&
    isWhole
  ) {
    orderMail(
      tx,
      platform.mails,
      'orderPaid',
      changed,
      invoices.invoiceOf(order.id)?.number ?? null,
    )
  }
  return { recorded: true, order: changed ?? order }
}

/** Frees the pieces of an order that was not paid in time; one that was paid meanwhile stays. */
export function expireOrder(tx: Transaction, deps: PaymentDeps, number: string): void {
  const order = deps.orders.find(number)
  if (order?.state !== 'pending' || (order.reservedUntil ?? 0) > deps.platform.clock()) return
  endOrder(tx, deps, order, { to: 'expired', actor: 'system' })
}

function settle(
  tx: Transaction,
  { orders, platform }: PaymentDeps,
  order: Order,
  { session, paymentIntent, amount }: SessionState & { amount: number },
  state: 'paid' | 'attention',
): Order | null {
  const now = platform.clock()
  const changed = orders.change(tx, order, {
    state,
    paidAt: now,
    reservedUntil: null,
    paymentIntent,
  })
  if (!changed) return null
  orders.pay(tx, { order: order.id, source: `stripe/${session}`, amount, paidOn: dateAt(now) })
  platform.jobs.cancel(tx, expireKind, order.number)
  platform.timeline.record(tx, {
    thing: 'order',
    thingId: order.number,
    actor: 'stripe',
    act: 'payment',
    before: order.state,
    after: state,
  })
  return changed
}
