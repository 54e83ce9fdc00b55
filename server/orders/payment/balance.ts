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
  /** What is still to be paid of its invoice; negative for what was paid too much. */
  readonly open: number
  /** What is still to be paid beside it, of interest and fees for a late payment. */
  readonly charges: number
}

/** What a buyer is asked for: what is open of the invoice, and what being late has cost beside it. */
export const leftOf = ({ open, charges }: Pick<Balance, 'open' | 'charges'>): number =>
  Math.max(0, open) + charges

/** What a late payment costs, for people. */
export const chargeNames = {
  interest: 'Late interest',
  reminder: 'Reminder fee',
  compensation: 'Compensation for collection costs',
} as const

/**
 * The one place that says what an order still lacks: its total without what was credited and paid. What
 * is paid beyond that pays what was charged for being late, before it is too much.
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
  // What has ended without ever having an invoice asks for nothing.
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
