import { sum } from '#shared/money.ts'
import type { Invoices } from '../documents/invoices.ts'
import type { Order } from '../order.ts'
import type { OrderStore } from '../store.ts'
import { isOfDispute } from './payment-records.ts'
import type { Payouts } from './payouts.ts'

/**
 * Cents that had gone back to a buyer before a credit note, and that no earlier one was about: what staff
 * refunded in the dashboard of the payment service, and what a dispute took.
 */
export function goneBefore(
  { id }: Pick<Order, 'id'>,
  credit: number,
  {
    orders,
    invoices,
    payouts,
  }: {
    orders: Pick<OrderStore, 'paymentsOf'>
    invoices: Pick<Invoices, 'ofOrder'>
    payouts: Pick<Payouts, 'ofOrder'>
  },
): number {
  const refunded = payouts
    .ofOrder(id)
    .filter((payout) => payout.credit === null || payout.credit < credit)
    .map(({ amount, failed }) => amount - failed)
  const disputed = orders
    .paymentsOf(id)
    .filter(({ source, externalId }) => source === 'stripe' && isOfDispute(externalId))
    .map(({ amount }) => -amount)
  const credited = invoices
    .ofOrder(id)
    .filter(({ kind, number }) => kind === 'credit' && number < credit)
    .map(({ total }) => total)
  return Math.max(0, sum([...refunded, ...disputed, ...credited]))
}
