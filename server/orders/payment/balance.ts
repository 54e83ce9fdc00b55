import { sum } from '#shared/money.ts'
import type { Invoices } from '../documents/invoices.ts'
import { isOver, type Order } from '../order.ts'
import type { OrderStore } from '../store.ts'

/** What an order comes to, in cents. */
export type Balance = {
  /** What its credit notes took off. */
  readonly credited: number
  /** What was paid, and not paid back. */
  readonly paid: number
  /** What is still open on its invoice; negative if overpaid. */
  readonly open: number
  /** Late interest and fees still to pay on top. */
  readonly charges: number
}

/** What the buyer owes: the open part of the invoice, plus late interest and fees. */
export const leftOf = ({ open, charges }: Pick<Balance, 'open' | 'charges'>): number =>
  Math.max(0, open) + charges

/** The names of late-payment charges. */
export const chargeNames = {
  interest: 'Late interest',
  reminder: 'Reminder fee',
  compensation: 'Compensation for collection costs',
} as const

/**
 * The only place that computes an order's balance: its total minus credits and payments. Anything
 * beyond that first covers late charges; the rest is an overpayment.
 */
export function balanceOf(
  { id, total, state }: Pick<Order, 'id' | 'total' | 'state'>,
  {
    orders,
    invoices,
  }: { orders: Pick<OrderStore, 'paid' | 'charged'>; invoices: Pick<Invoices, 'ofOrder'> },
): Balance {
  const credits = invoices.ofOrder(id).filter(({ kind }) => kind === 'credit')
  const credited = -sum(credits.map((credit) => credit.total))
  const paid = orders.paid(id)
  // An order that ended without an invoice owes nothing.
  const isOff = isOver({ state })
  const owed = isOff ? 0 : total - credited
  const charged = isOff ? 0 : orders.charged(id)
  const beyond = Math.max(0, paid - owed)
  return {
    credited: credited === 0 ? 0 : credited,
    paid,
    open: paid > owed ? -Math.max(0, beyond - charged) || 0 : owed - paid,
    charges: Math.max(0, charged - beyond),
  }
}
