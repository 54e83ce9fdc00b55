import type { Transaction } from '../../db/group-commit.ts'
import type { Order } from '../order.ts'
import type { OrderDeps } from '../order-deps.ts'

/**
 * Where the last pieces that were to be sent are taken off an order of which others have left, it's
 * shipped, with its last parcel. Call inside a transaction.
 * @returns the order as it is then; null where nothing changes
 */
export function endShipping(
  tx: Transaction,
  { orders, parcels }: Pick<OrderDeps, 'orders' | 'parcels'>,
  id: number,
): Order | null {
  const order = orders.findId(id)!
  const last = parcels.of(id).at(-1)
  const isDone = parcels.progress(order).every(({ rest }) => rest === 0)
  if (!last || !isDone || !['open', 'paid'].includes(order.state)) return null
  return orders.change(tx, order, { state: 'shipped', shippedAt: last.sentAt, reservedUntil: null })
}
