import { dateAt } from '#shared/dates/civil-dates.ts'
import { minuteMs } from '#shared/dates/durations.ts'
import { decimal, euros } from '#shared/money.ts'
import { failure } from '#shared/failures.ts'
import type { Transaction } from '../../db/group-commit.ts'
import { restockLines } from '../checkout/place-order.ts'
import { balanceOf } from './balance.ts'
import {
  endOrder,
  expireKind,
  feeKind,
  leavePage,
  payBackKind,
  type PaymentDeps,
} from './end-order.ts'
import type { Seller } from '../documents/invoice-document.ts'
import { decideLatePayment } from './late-payment.ts'
import { orderMail } from '../mails/mails.ts'
import type { SessionState } from './stripe.ts'
import { dueOf, type Order } from '../order.ts'
import { payByGiftCard } from './gift-card-part.ts'
import type { OrderStore } from '../store.ts'
import type { NewPayment } from '../schema.ts'

/**
 * What became of a payment: it made its order paid, it was told before, staff have to look at it, it
 * goes back because another order took the place of its own, it is of no order or not made yet, it
 * has another amount than its order; or it was refunded in the dashboard or disputed afterwards, a bank
 * asks about it, or its refund came back.
 */
export type PaymentOutcome =
  | 'paid'
  | 'repeat'
  | 'attention'
  | 'back'
  | 'ignored'
  | 'wrong-amount'
  | 'refunded'
  | 'disputed'
  | 'inquiry'
  | 'refund failed'

/**
 * Takes what the payment service says of a session. Call it inside a transaction. The order becomes
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
  const order = orders.ofSession(state.session) ?? invoicedOrder(orders, state)
  if (!order && state.paid) {
    platform.log.warn({ session: state.session }, 'payment without order')
  }
  if (!order || !state.paid) return 'ignored'
  if (order.booking !== null) return takeCard(tx, deps, order, state)
  if (order.paidAt !== null) return 'repeat'
  if (state.amount !== dueOf(order) || state.currency !== 'eur') {
    platform.log.error(
      { order: order.number, amount: state.amount, currency: state.currency, alert: true },
      'payment amount differs from order',
    )
    // Staff pay it back, so its pieces are for sale again.
    if (order.state === 'pending') {
      restockLines(tx, deps.shop, order.lines)
      deps.shop.giftCards.release(tx, order.id)
    }
    const came = `${decimal(state.amount ?? 0)} ${(state.currency ?? 'eur').toUpperCase()}`
    const kept = settle(
      tx,
      deps,
      order,
      { ...state, amount: state.amount ?? 0 },
      { to: 'attention', note: `${came} came instead of ${euros(dueOf(order))}` },
    )
    if (kept) orderMail(tx, platform.mails, 'orderAttention', kept, null)
    return 'wrong-amount'
  }
  const decision = order.state === 'pending' ? 'take' : decideLatePayment(tx, deps, order)
  const settled = settle(
    tx,
    deps,
    order,
    { ...state, amount: dueOf(order) },
    { to: decision === 'take' ? 'paid' : 'attention' },
  )
  // Takes everything back; the event comes again.
  if (!settled) throw failure('changed')
  if (decision === 'take') {
    payByGiftCard(tx, orders, order, dateAt(platform.clock()))
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

/** The order of a booking whose card page was given up for another one, or for none. */
function invoicedOrder(
  orders: Pick<OrderStore, 'find'>,
  { order: number }: SessionState,
): Order | null {
  const order = number === null ? null : orders.find(number)
  return order?.booking ? order : null
}

/**
 * Takes what was paid by card for the invoice of a booking, whatever became of it meanwhile: what is no
 * longer owed, because it was cancelled or paid by transfer as well, goes back by itself.
 */
function takeCard(
  tx: Transaction,
  deps: PaymentDeps,
  order: Order,
  { session, paymentIntent, amount, currency }: SessionState,
): PaymentOutcome {
  const { orders, invoices, payouts, platform } = deps
  if (amount === null || currency !== 'eur') {
    platform.log.error(
      { order: order.number, amount, currency, alert: true },
      'card payment for an invoice is not in euros',
    )
    // Its sum in euros isn't known, so the invoice stays open, and staff send the money back.
    const came = `${decimal(amount ?? 0)} ${(currency ?? 'eur').toUpperCase()} came by card and isn’t counted: refund it in Stripe’s dashboard`
    // Its page can't be paid any more, and must not keep the client from another one.
    if (order.session === session) orders.change(tx, order, { session: null, sessionUrl: null })
    const number = invoices.invoiceOf(order.id)?.number ?? null
    // Its page asks again and again; staff are told once.
    if (!orderMail(tx, platform.mails, 'orderAttention', order, number)) return 'wrong-amount'
    const told = { actor: 'stripe', act: 'payment', note: came }
    platform.timeline.record(tx, { thing: 'order', thingId: order.number, ...told })
    if (order.booking !== null) {
      platform.timeline.record(tx, { thing: 'booking', thingId: order.booking, ...told })
    }
    return 'wrong-amount'
  }
  const paidOn = dateAt(platform.clock())
  const payment = {
    source: 'stripe' as const,
    externalId: session,
    payer: null,
    amount,
    paidOn,
    paymentIntent,
  }
  const taken = takeTransfer(tx, deps, order, payment, 'stripe')
  if (!taken.recorded) return 'repeat'
  // Another page of it was opened meanwhile, and must not be paid, too.
  if (order.session !== session) leavePage(tx, deps, order)
  const after = orders.change(tx, taken.order, { paymentIntent })
  // Takes everything back; the event comes again.
  if (!after) throw failure('changed')
  // Stripe books its fee a moment later.
  platform.jobs.schedule(tx, feeKind, order.number, platform.clock() + minuteMs)
  const { open } = balanceOf(after, { orders, invoices })
  if (open >= 0) return 'paid'
  const payout = payouts.make(tx, after, {
    amount: Math.min(-open, amount),
    credit: null,
    reason: order.paidAt === null ? 'paid after it was cancelled' : 'paid twice',
  })
  orderMail(tx, platform.mails, 'orderExcess', after, null, { payout: payout.id })
  orderMail(tx, platform.mails, 'bookingPaidBackStaff', after, null, { payout: payout.id })
  return 'back'
}

/** What was paid for is no longer in the cart; what was put there meanwhile stays. */
function emptyCart(tx: Transaction, { orders, shop }: PaymentDeps, order: Order): void {
  const cart = orders.cartOf(order.id)
  shop.discounts.settle(tx, order.id)
  shop.giftCards.settle(tx, order.id)
  if (cart === null) return
  if (order.discountCode !== null) shop.carts.setDiscount(tx, cart, null)
  if (order.giftCard !== null) shop.carts.setGiftCard(tx, cart, null)
  for (const { variantId } of order.lines) {
    if (variantId !== null) shop.carts.drop(tx, cart, variantId)
  }
}

/**
 * Records money for an invoice. Call it inside a transaction. With the whole of it the order is paid,
 * and its buyer is told so, once.
 * @returns false when this payment was told before
 */
export function takeTransfer(
  tx: Transaction,
  { orders, invoices, platform }: Omit<PaymentDeps, 'shop' | 'payouts'>,
  order: Order,
  payment: Omit<NewPayment, 'order'>,
  actor: string,
): { recorded: boolean; order: Order } {
  if (!orders.pay(tx, { ...payment, order: order.id })) return { recorded: false, order }
  const isWhole = balanceOf(order, { orders, invoices }).open <= 0
  if (isWhole) orders.verify(tx, order)
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
    note: `${euros(payment.amount)}, by ${payment.source}`,
  })
  if (order.booking !== null) {
    const invoice = invoices.invoiceOf(order.id)?.number
    platform.timeline.record(tx, {
      thing: 'booking',
      thingId: order.booking,
      actor,
      act: 'payment',
      note: `${euros(payment.amount)} for invoice ${invoice}, ${payment.source === 'stripe' ? 'by card' : 'by bank transfer'}`,
    })
    // Its card page asks for too much now.
    if (payment.source !== 'stripe') leavePage(tx, { platform }, order)
  }
  if (
    order.paidAt === null &&
    (changed?.state === 'paid' || changed?.state === 'shipped') &&
    isWhole
  ) {
    // A payment that was taken back was told, too, and the next one is news again.
    const isSecond = orders.paymentsOf(order.id).some(({ corrects }) => corrects !== null)
    orderMail(
      tx,
      platform.mails,
      'orderPaid',
      changed,
      invoices.invoiceOf(order.id)?.number ?? null,
      isSecond ? { sequence: changed.sequence } : {},
    )
  }
  return { recorded: true, order: changed ?? order }
}

/**
 * Ends an order that was not paid in time, or that waited in vain; one that was paid meanwhile stays, and
 * so does one that a part was paid of in money, which is for staff. So does one whose buyer has withdrawn:
 * we asked not to pay its invoice before the credit note, which gives the rest of it new time; and one of
 * which a part was sent, which is owed. An invoice is taken back, and its buyer told.
 * @param about `waitingUntil` when an order that waits ends (milliseconds); `isWithdrawn` whether a
 *   statement of withdrawal from an order is still to be dealt with; `hasLeft` whether a part of it was sent
 */
export function expireOrder(
  tx: Transaction,
  deps: PaymentDeps,
  number: string,
  {
    waitingUntil,
    isWithdrawn,
    hasLeft,
  }: {
    waitingUntil: number
    isWithdrawn: (order: number) => boolean
    hasLeft: (order: number) => boolean
  },
): void {
  const { orders, platform } = deps
  const order = orders.find(number)
  if (!order || !['waiting', 'pending', 'open'].includes(order.state)) return
  const until = order.state === 'waiting' ? waitingUntil : order.reservedUntil
  // What staff have agreed on, such as the invoice of a booking, ends by their hand alone.
  if (order.state === 'open' && until === null) return
  if ((until ?? 0) > platform.clock()) return
  if (order.state === 'open' && (isWithdrawn(order.id) || hasLeft(order.id))) return
  if (order.state === 'open' && orders.paidInMoney(order.id) > 0) {
    platform.log.warn({ order: number }, 'order partly paid, stays open')
    return
  }
  const ended = endOrder(tx, deps, order, { to: 'expired', actor: 'system' })
  if (ended && ended.credit !== null) {
    orderMail(tx, platform.mails, 'orderCancelled', ended.order, ended.credit)
  }
}

function settle(
  tx: Transaction,
  { orders, platform }: PaymentDeps,
  order: Order,
  { session, paymentIntent, amount }: SessionState & { amount: number },
  { to: state, note = null }: { to: 'paid' | 'attention'; note?: string | null },
): Order | null {
  const now = platform.clock()
  const changed = orders.change(tx, order, {
    state,
    paidAt: now,
    reservedUntil: null,
    paymentIntent,
  })
  if (!changed) return null
  orders.pay(tx, {
    order: order.id,
    source: 'stripe',
    externalId: session,
    payer: null,
    amount,
    paidOn: dateAt(now),
    paymentIntent,
  })
  platform.jobs.cancel(tx, expireKind, order.number)
  // Stripe books its fee a moment later.
  platform.jobs.schedule(tx, feeKind, order.number, now + minuteMs)
  platform.timeline.record(tx, {
    thing: 'order',
    thingId: order.number,
    actor: 'stripe',
    act: 'payment',
    before: order.state,
    after: state,
    note,
  })
  return changed
}
