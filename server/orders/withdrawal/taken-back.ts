import type { Invoices } from '../documents/invoices.ts'
import type { Order } from '../order.ts'
import type { WithdrawalStore } from './withdrawal-store.ts'

/** Why a buyer no longer has a line. */
export type TakenBack = 'credited' | 'withdrawn'

/** What tells which lines of an order its buyer no longer has. */
export type TakenBackOf = (order: Pick<Order, 'id' | 'lines'>) => ReadonlyMap<number, TakenBack>

/**
 * Makes what tells which lines of an order its buyer has given back whole: credited by the piece, or
 * named in a withdrawal that waits for staff. Their files and licences go with them; a reduction of
 * the price takes neither.
 * @returns places of lines from 0, with the reason
 */
export const createTakenBack =
  ({
    invoices,
    withdrawals,
  }: {
    invoices: Pick<Invoices, 'creditedPieces'>
    withdrawals: Pick<WithdrawalStore, 'openPieces'>
  }): TakenBackOf =>
  (order) => {
    const credited = invoices.creditedPieces(order.id)
    const withdrawn = withdrawals.openPieces(order.id)
    return new Map(
      order.lines.flatMap(({ id, quantity }, at): [number, TakenBack][] => {
        const left = quantity - (credited[at] ?? 0)
        if (left <= 0) return [[at, 'credited']]
        return left <= (withdrawn.get(id) ?? 0) ? [[at, 'withdrawn']] : []
      }),
    )
  }
