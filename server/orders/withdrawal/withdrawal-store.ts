import { addDays, dateAt, type CivilDate } from '#shared/dates/civil-dates.ts'
import { payableUntil } from '#shared/dates/due-dates.ts'
import { orderLimits } from '#shared/shop/order-limits.ts'
import type { Transaction } from '../../db/group-commit.ts'
import type { Database } from '../../db/open.ts'
import { newNumber } from '../../db/numbers.ts'
import { integer, nullable, query, text } from '../../db/table.ts'
import {
  withdrawalLines,
  withdrawals,
  type NewWithdrawalLine,
  type Withdrawal,
  type WithdrawalLine,
  type WithdrawalState,
} from '../schema.ts'
import type { Order } from '../order.ts'
import { isAllExempt } from './right.ts'

/** The statements of withdrawal; the only place with their SQL. */
export type WithdrawalStore = ReturnType<typeof createWithdrawalStore>

/** Prepares the statements of withdrawals. */
export function createWithdrawalStore(db: Database) {
  const freeId = query(db, `SELECT ${newNumber('withdrawals')} AS id`, { id: integer() })
  const insert = withdrawals.insert(db)
  const insertLine = withdrawalLines.insert(db)
  const byId = withdrawals.select(db, 'WHERE id = :id')
  const linesOf = withdrawalLines.select(db, 'WHERE withdrawal = :withdrawal ORDER BY line')
  const listed = query(
    db,
    `SELECT withdrawals.*, withdrawals."order" AS orderId, orders.number AS "order",
       order_number AS orderNumber, received_at AS receivedAt, back_at AS backAt,
       proof_at AS proofAt, settled_at AS settledAt
     FROM withdrawals LEFT JOIN orders ON orders.id = withdrawals."order" ORDER BY withdrawals.id`,
    { ...withdrawals.shape, orderId: nullable(integer()), order: nullable(text()) },
  )
  const ofOrder = withdrawals.select(db, 'WHERE "order" = :order ORDER BY id')
  const open = withdrawals.select(
    db,
    "WHERE state IN ('received', 'awaiting', 'back') ORDER BY received_at, id",
  )
  const openPieces = query(
    db,
    `SELECT line, sum(quantity) AS pieces FROM withdrawal_lines
     JOIN withdrawals ON withdrawals.id = withdrawal
     WHERE withdrawals."order" = :order AND state IN ('received', 'awaiting', 'back')
       AND exempt IS NULL GROUP BY line`,
    { line: integer(), pieces: integer() },
  )
  const sentPieces = query(
    db,
    `SELECT line, sum(sent) AS pieces FROM withdrawal_lines
     JOIN withdrawals ON withdrawals.id = withdrawal
     WHERE withdrawals."order" = :order AND state <> 'closed' AND exempt IS NULL GROUP BY line`,
    { line: integer(), pieces: integer() },
  )
  const openLines = withdrawalLines.select(
    db,
    `WHERE withdrawal IN (SELECT id FROM withdrawals WHERE "order" = :order
       AND state IN ('received', 'awaiting', 'back')) AND exempt IS NULL
     ORDER BY withdrawal, line`,
  )
  const changeSent = withdrawalLines.update(
    db,
    ['sent'],
    'WHERE withdrawal = :withdrawal AND line = :line',
  )
  const same = withdrawals.select(
    db,
    `WHERE order_number = :orderNumber AND email = :email COLLATE NOCASE AND received_at > :after
     ORDER BY id`,
  )
  const change = withdrawals.update(
    db,
    ['state', 'backAt', 'proofAt', 'settledAt', 'credit', 'note'],
    'WHERE id = :id AND state = :was',
  )

  /** One that names nothing with a right of withdrawal ends nothing, and stops no reminder. */
  const openOf = (order: number) =>
    ofOrder
      .all({ order })
      .filter(
        ({ id, state }) =>
          state !== 'settled' &&
          state !== 'closed' &&
          !isAllExempt(linesOf.all({ withdrawal: id })),
      )

  return {
    find: (id: number): Withdrawal | null => byId.get({ id }),
    linesOf: (withdrawal: number): WithdrawalLine[] => linesOf.all({ withdrawal }),
    /** Every statement with the number of its order, the first one first. */
    list: () => listed.all(),
    ofOrder: (order: number): Withdrawal[] => ofOrder.all({ order }),
    /** Those that have not been dealt with, the oldest first. */
    open: (): Withdrawal[] => open.all(),
    /** Pieces by line that the buyer of an order has withdrawn from, and that are not settled. */
    openPieces: (order: number): ReadonlyMap<number, number> =>
      new Map(openPieces.all({ order }).map(({ line, pieces }) => [line, pieces])),
    /** Pieces by line that had been sent and that statements have named before. */
    sentPieces: (order: number): ReadonlyMap<number, number> =>
      new Map(sentPieces.all({ order }).map(({ line, pieces }) => [line, pieces])),
    /** Pieces by line that the buyer of an order has withdrawn from before they left, not settled yet. */
    unsentPieces(order: number): ReadonlyMap<number, number> {
      const pieces = new Map<number, number>()
      for (const { line, quantity, sent } of openLines.all({ order })) {
        pieces.set(line, (pieces.get(line) ?? 0) + quantity - sent)
      }
      return pieces
    },
    /**
     * Notes that pieces left although their buyer had withdrawn from them: they have to come back, too.
     * Call inside a transaction.
     */
    sendAll(tx: Transaction, order: number, pieces: ReadonlyMap<number, number>): void {
      const left = new Map(pieces)
      for (const { withdrawal, line, quantity, sent } of openLines.all({ order })) {
        const more = Math.min(quantity - sent, left.get(line) ?? 0)
        if (more <= 0) continue
        left.set(line, left.get(line)! - more)
        changeSent(tx, { sent: sent + more }, { withdrawal, line })
        const was = byId.get({ id: withdrawal })!
        const to = { ...was, state: 'awaiting' as const, backAt: null, proofAt: null }
        change(tx, to, { id: withdrawal, was: was.state })
      }
    },
    /**
     * Days on which the buyer of an order was asked not to pay: from each withdrawal from it to the last day
     * that its settlement gives for the rest, as a new order has; null where it isn't settled yet. Nobody
     * was asked that by a statement that names a booking.
     */
    heldUp: ({ id }: Pick<Order, 'id'>): { from: CivilDate; to: CivilDate | null }[] =>
      ofOrder
        .all({ order: id })
        .filter((each) => !isAllExempt(linesOf.all({ withdrawal: each.id })))
        .map(({ receivedAt, settledAt }) => ({
          from: dateAt(receivedAt),
          to:
            settledAt === null
              ? null
              : payableUntil(addDays(dateAt(settledAt), orderLimits.transferDueDays)),
        })),
    /** Whether a withdrawal from an order that counts has not been dealt with. */
    isOpen: (order: number): boolean => openOf(order).length > 0,
    /** When the latest one of these came; null without one. */
    openSince: (order: number): number | null => openOf(order).at(-1)?.receivedAt ?? null,
    /** Earlier statements of a mailbox about an order number, since an instant. */
    same: (orderNumber: string, email: string, after: number): Withdrawal[] =>
      same.all({ orderNumber, email, after }),

    /** Keeps a statement. Call inside a transaction. @returns its number */
    insert(
      tx: Transaction,
      facts: Pick<Withdrawal, 'orderNumber' | 'order' | 'name' | 'email' | 'receivedAt' | 'state'>,
      lines: readonly Omit<NewWithdrawalLine, 'withdrawal'>[],
    ): number {
      const { id } = freeId.get({ now: facts.receivedAt })!
      insert(tx, { id, ...facts })
      for (const line of lines) insertLine(tx, { withdrawal: id, ...line })
      return id
    },

    /**
     * Changes a statement if it is still in the state in which it was read. Call inside a transaction.
     * @returns the statement as it is now, or null when someone else was faster
     */
    change(
      tx: Transaction,
      was: Withdrawal,
      to: Partial<
        Pick<Withdrawal, 'backAt' | 'proofAt' | 'settledAt' | 'credit' | 'note'> & {
          state: WithdrawalState
        }
      >,
    ): Withdrawal | null {
      const done = change(tx, { ...was, ...to }, { id: was.id, was: was.state })
      return done === 1 ? byId.get({ id: was.id }) : null
    },
  }
}
