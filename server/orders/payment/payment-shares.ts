import type { Order } from '../order.ts'

/** Cents of a payment that are left at an order. */
export type RestOf = (holder: Order) => number

/**
 * What of a sum is about each order of a payment: a part of it may cover the fee of a cancelled booking, and
 * the last one has whatever the others haven't.
 */
export function sharesOf(
  holders: readonly Order[],
  amount: number,
  restOf: RestOf,
): { holder: Order; part: number }[] {
  let left = amount
  return holders.flatMap((holder, at) => {
    const isLast = at === holders.length - 1
    const part = isLast ? left : Math.min(left, restOf(holder))
    left -= part
    return part > 0 ? [{ holder, part }] : []
  })
}
