import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'

/** Prepares the statements of money that came or went, and of what the payment service has told. */
export function createPaymentRecords(db: Database, { clock }: { clock: () => number }) {
  const seen = db.prepareWrite(
    'INSERT INTO stripe_events (id, type, received_at, outcome) VALUES (:id, :type, :now, :outcome) ON CONFLICT DO NOTHING',
  )
  const known = db.prepare('SELECT 1 FROM stripe_events WHERE id = ?').pluck()
  const pay = db.prepareWrite(
    `INSERT INTO payments ("order", source, amount, paid_on, recorded_at)
     VALUES (:order, :source, :amount, :paidOn, :now) ON CONFLICT DO NOTHING`,
  )
  const paid = db.prepare('SELECT coalesce(sum(amount), 0) FROM payments WHERE "order" = ?').pluck()
  const paidOn = db
    .prepare('SELECT max(paid_on) FROM payments WHERE "order" = ? AND amount > 0')
    .pluck()
  const paidBackOn = db
    .prepare('SELECT max(paid_on) FROM payments WHERE "order" = ? AND amount < 0')
    .pluck()

  return {
    /** Notes an event of the payment service. @returns false when it came before */
    note: (tx: Transaction, id: string, type: string, outcome: string): boolean =>
      seen.run(tx, { id, type, outcome, now: clock() }).changes === 1,
    /** Whether an event of the payment service has come before. */
    isKnown: (id: string): boolean => known.get(id) !== undefined,

    /** Records money that came in, or as a negative amount went back. @returns false when this payment was told before */
    pay: (
      tx: Transaction,
      payment: { order: number; source: string; amount: number; paidOn: string },
    ): boolean => pay.run(tx, { ...payment, now: clock() }).changes === 1,
    /** What has been paid for an order and not paid back, in cents. */
    paid: (order: number) => paid.get(order) as number,
    /** The day of the last payment of an order; null where there is none. */
    paidOn: (order: number) => paidOn.get(order) as string | null,
    /** The day on which money of an order went back; null where none did. */
    paidBackOn: (order: number) => paidBackOn.get(order) as string | null,
  }
}
