import type { Transaction } from '../../db/group-commit.ts'
import type { Platform } from '../../feature.ts'
import { restockLines, type OrderShop } from '../checkout/place-order.ts'
import type { Invoices } from '../documents/invoices.ts'
import type { Order } from '../order.ts'
import type { OrderStore } from '../store.ts'
import { restOf } from '../documents/credit-note.ts'
import type { Payouts } from './payouts.ts'

/** What payments and endings of orders need. */
export type PaymentDeps = {
  platform: Pick<Platform, 'clock' | 'mails' | 'timeline' | 'jobs' | 'log'>
  orders: OrderStore
  invoices: Invoices
  payouts: Payouts
  shop: OrderShop
}

/** The job that ends an order not paid or released in time. */
export const expireKind = 'orders.expire'
/** The job that closes the payment page of an ended order. */
export const closePageKind = 'orders.close-page'
/** The job that reads the payment service’s fee for a payment. */
export const feeKind = 'orders.payment-fee'
/** The job that refunds money received for a replaced order. */
export const payBackKind = 'orders.pay-back'

/**
 * Ends an order that is not paid: its pieces go back, and what its gift card paid; a credit note takes
 * its invoice back, and its payment page is closed. Call it inside a transaction; emails are the
 * caller's.
 * @returns the order as it is now with the number of its credit note; null when another
 *   transaction changed it first
 */
export function endOrder(
  tx: Transaction,
  deps: PaymentDeps,
  order: Order,
  { to, actor, note = null }: { to: 'expired' | 'cancelled'; actor: string; note?: string | null },
): { order: Order; credit: number | null } | null {
  const { orders, shop, platform } = deps
  const ended = orders.change(tx, order, { state: to, reservedUntil: null })
  if (!ended) return null
  // A waiting order has reserved nothing.
  if (order.state !== 'waiting') restockLines(tx, shop, keptLines(deps, order))
  shop.discounts.giveBack(tx, order.id)
  platform.jobs.cancel(tx, expireKind, order.number)
  leavePage(tx, deps, order)
  const credit = takeBack(tx, deps, order)
  shop.giftCards.release(tx, order.id)
  platform.timeline.record(tx, {
    thing: 'order',
    thingId: order.number,
    actor,
    act: to,
    before: order.state,
    after: to,
    note,
  })
  return { order: ended, credit }
}

/** The lines of an order without credited pieces; their credit notes decided about those. */
function keptLines(
  { invoices }: Pick<PaymentDeps, 'invoices'>,
  { id, lines }: Order,
): { variantId: number | null; quantity: number }[] {
  const credited = invoices.creditedPieces(id)
  return lines.map(({ variantId, quantity }, at) => ({
    variantId,
    quantity: quantity - (credited[at] ?? 0),
  }))
}

/** Schedules the closing of an order's payment page, which may not exist yet. */
export function leavePage(
  tx: Transaction,
  { platform: { jobs, clock } }: Pick<PaymentDeps, 'platform'>,
  order: Order,
): void {
  if (order.payment === 'stripe' || order.session !== null) {
    jobs.schedule(tx, closePageKind, order.number, clock())
  }
}

/**
 * Takes back what is left of an invoice by a credit note, and puts what was paid for it on its way
 * back. Call it inside a transaction.
 * @param options `isSent` when the payment service has sent the money back already; a gift card's part
 *   goes back here all the same
 * @returns the number of the credit note; null where there was no invoice, or nothing left of it
 */
export function takeBack(
  tx: Transaction,
  { orders, invoices, payouts }: Pick<PaymentDeps, 'orders' | 'invoices' | 'payouts'>,
  order: Order,
  { isSent = false }: { isSent?: boolean } = {},
): number | null {
  const invoice = invoices.invoiceOf(order.id)
  const credits = invoices.ofOrder(order.id).filter(({ kind }) => kind === 'credit')
  const isLeft =
    invoice !== null &&
    restOf(
      invoice.document,
      credits.map(({ document }) => document),
    ).some(({ left }) => left !== 0)
  const credit = isLeft
    ? invoices.credit(tx, order, invoice, { requested: { all: true }, reason: null }).number
    : null
  // Nothing owed, nothing late.
  orders.waive(tx, order.id)
  const amount = orders.paid(order.id)
  if (amount > 0) {
    // An invoice that is taken back doesn't end its booking.
    const what = order.booking === null ? 'order' : 'invoice'
    payouts.refund(tx, order, { amount, credit, reason: `the ${what} was cancelled`, isSent })
  }
  return credit
}
