import { dateAt } from '#shared/civil-dates.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Platform } from '../feature.ts'
import { giveBack, type ShopParts } from './checkout.ts'
import type { Seller } from './invoice-document.ts'
import type { Invoices } from './invoices.ts'
import { orderMail } from './mails.ts'
import type { SessionState } from './stripe.ts'
import type { Order } from './order.ts'
import type { OrderStore } from './store.ts'

/** Why a payment did not make its order paid, or that it did. */
export type PaymentOutcome = 'paid' | 'repeat' | 'attention' | 'ignored' | 'wrong-amount'

type Parts = {
  platform: Pick<Platform, 'clock' | 'mails' | 'timeline' | 'jobs' | 'log'>
  orders: OrderStore
  invoices: Invoices
  shop: ShopParts
}

/** The job that frees the pieces of an order which nobody paid. */
export const expireKind = 'orders.expire'

/**
 * Takes what the payment service says of a session; belongs into a transaction. The order becomes
 * paid once, by compare-and-swap. Money for an order whose pieces went to somebody else meanwhile is
 * kept in state `attention` for staff.
 */
export function takePayment(
  tx: Transaction,
  parts: Parts,
  state: SessionState,
  seller: Seller,
): PaymentOutcome {
  const { orders, platform } = parts
  const order = orders.ofSession(state.session)
  if (!order || !state.paid) return 'ignored'
  if (order.paidAt !== null) return 'repeat'
  if (state.amount !== order.total || state.currency !== 'eur') {
    platform.log.error(
      { order: order.number, amount: state.amount, currency: state.currency, alert: true },
      'a payment has another amount than its order',
    )
    // Staff pay it back, so nobody else has to wait for its pieces.
    if (order.state === 'pending') giveBack(tx, parts.shop, order.lines)
    settle(tx, parts, order, { ...state, amount: state.amount ?? 0 }, 'attention')
    return 'wrong-amount'
  }
  const isHeld = order.state === 'pending'
  const isThere = isHeld || takeAgain(tx, parts.shop, order)
  const next = isThere ? 'paid' : 'attention'
  const paid = settle(tx, parts, order, { ...state, amount: order.total }, next)
  if (paid && next === 'paid') {
    const invoice = parts.invoices.issue(tx, paid, seller, { paid: true })
    orderMail(tx, platform.mails, 'orderConfirmed', paid, invoice.number)
    orderMail(tx, platform.mails, 'orderPlacedStaff', paid, invoice.number)
    emptyCart(tx, parts, paid)
  }
  return next
}

/** What was paid for is no longer in the cart; what was put there meanwhile stays. */
function emptyCart(tx: Transaction, { orders, shop }: Parts, order: Order): void {
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
  { orders, invoices, platform }: Omit<Parts, 'shop'>,
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

/** Frees the pieces of an order that nobody paid in time; one that was paid meanwhile stays. */
export function expireOrder(
  tx: Transaction,
  { orders, shop, platform }: Parts,
  number: string,
): void {
  const order = orders.find(number)
  if (order?.state !== 'pending' || (order.reservedUntil ?? 0) > platform.clock()) return
  endReservation(tx, { orders, shop, platform }, order, 'system')
}

/** Ends the reservation of an order that waits for its payment; belongs into a transaction. */
export function endReservation(
  tx: Transaction,
  { orders, shop, platform }: Omit<Parts, 'invoices'>,
  order: Order,
  actor: 'system' | 'visitor',
): void {
  if (!orders.change(tx, order, { state: 'expired', reservedUntil: null })) return
  giveBack(tx, shop, order.lines)
  platform.timeline.record(tx, {
    thing: 'order',
    thingId: order.number,
    actor,
    act: 'expired',
    before: 'pending',
    after: 'expired',
  })
}

/** Takes the pieces of an order once more whose reservation has ended; all of them, or none. */
function takeAgain(tx: Transaction, shop: ShopParts, order: Order): boolean {
  const taken: { variantId: number; quantity: number }[] = []
  for (const { variantId, quantity } of order.lines) {
    if (variantId === null) continue
    if (!shop.catalogue.take(tx, variantId, quantity)) {
      for (const each of taken) shop.catalogue.giveBack(tx, each.variantId, each.quantity)
      return false
    }
    taken.push({ variantId, quantity })
  }
  return true
}

function settle(
  tx: Transaction,
  { orders, platform }: Parts,
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
  if (state === 'attention') orderMail(tx, platform.mails, 'orderAttention', changed, null)
  return changed
}
