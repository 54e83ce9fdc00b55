import type { Order } from '../order.ts'
import type { WithdrawalStore } from './withdrawal-store.ts'

/** What tells which lines of an order its buyer no longer has. */
export type TakenBackOf = (order: Pick<Order, 'id' | 'lines'>) => ReadonlySet<number>

/**
 * Finds the lines of an order that its buyer has given back whole: credited by the piece, or named in a
 * withdrawal that waits for staff. Their files and licences go with them; a reduction of the price
 * takes neither.
 * @returns places of lines from 0
 */
export const createTakenBack =
  ({
    invoices,
    withdrawals,
  }: {
    invoices: { creditedPieces(order: number): number[] }
    withdrawals: Pick<WithdrawalStore, 'openPieces'>
  }): TakenBackOf =>
  (order) => {
    const credited = invoices.creditedPieces(order.id)
    const withdrawn = withdrawals.openPieces(order.id)
    return new Set(
      order.lines.flatMap(({ id, quantity }, at) =>
        quantity - (credited[at] ?? 0) <= (withdrawn.get(id) ?? 0) ? [at] : [],
      ),
    )
  }
