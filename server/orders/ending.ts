import { dateAt } from '#shared/civil-dates.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Platform } from '../feature.ts'
import { giveBack, type OrderShop } from './checkout.ts'
import type { Invoices } from './invoices.ts'
import type { Order } from './order.ts'
import type { OrderStore } from './store.ts'

/** What is needed where money comes or an order ends. */
export type PaymentDeps = {
  platform: Pick<Platform, 'clock' | 'mails' | 'timeline' | 'jobs' | 'log'>
  orders: OrderStore
  invoices: Invoices
  shop: OrderShop
}

/** The job that frees the pieces of an order that was not paid. */
export const expireKind = 'orders.expire'
/** The job that closes the payment page of an order which is over. */
export const closePageKind = 'orders.close-page'
/** The job that gives money back which came for an order that another one has replaced. */
export const payBackKind = 'orders.pay-back'

/**
 * Ends an order that is not paid: its pieces go back, a credit note takes its invoice back, and its
 * payment page is closed. Belongs into a transaction; mails are the caller's.
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
  giveBack(tx, shop, order.lines)
  platform.jobs.cancel(tx, expireKind, order.number)
  leavePage(tx, deps, order)
  const credit = takeBack(tx, deps, order)
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

/** Has the payment page of an order closed, so that it cannot be paid any more. */
export function leavePage(
  tx: Transaction,
  { platform: { jobs, clock } }: Pick<PaymentDeps, 'platform'>,
  order: Order,
): void {
  if (order.payment === 'stripe') jobs.schedule(tx, closePageKind, order.number, clock())
}

/**
 * Takes an invoice back by a credit note, and notes that what was paid for it goes back.
 * @returns the number of the credit note; null where there was no invoice
 */
export function takeBack(
  tx: Transaction,
  { orders, invoices, platform }: Pick<PaymentDeps, 'orders' | 'invoices' | 'platform'>,
  order: Order,
): number | null {
  const amount = orders.paid(order.id)
  if (amount > 0) {
    orders.pay(tx, {
      order: order.id,
      source: `refund/${order.number}`,
      amount: -amount,
      paidOn: dateAt(platform.clock()),
    })
  }
  const invoice = invoices.invoiceOf(order.id)
  return invoice ? invoices.credit(tx, order, invoice).number : null
}
