import { dayMs } from '#shared/durations.ts'
import { dateAt, dayStart } from '#shared/civil-dates.ts'
import { batchSize } from '../db/in-batches.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'
import type { Platform } from '../feature.ts'
import { eraseMails } from '../mail/erase.ts'
import type { Erasure } from '../personal-data.ts'
import { closePageKind } from './ending.ts'

/** Years for which vouchers have to be kept, from the end of their own (Accounting Act 2:10). */
export const voucherYears = 6
/** Days after which an order that was not paid is forgotten, and what the payment service told. */
export const unpaidDays = 90

/** The forgetting of orders; the only place that deletes their rows. */
export type OrderRetention = ReturnType<typeof createRetention>

/** An order that goes, as far as its traces need it. */
type Leaving = { id: number; number: string }

/** Orders without any document or payment. */
const unpaid = `state IN ('expired', 'cancelled')
  AND NOT EXISTS (SELECT 1 FROM invoices WHERE invoices."order" = orders.id)
  AND NOT EXISTS (SELECT 1 FROM payments WHERE payments."order" = orders.id)`

/** Makes what forgets orders whose time is over, and those that are no vouchers on request. */
export function createRetention(
  db: Database,
  {
    config,
    clock,
    jobs,
    mails,
    timeline,
  }: Pick<Platform, 'config' | 'clock' | 'jobs' | 'mails' | 'timeline'>,
) {
  const unpaidOf = db.prepare(
    `SELECT id, number FROM orders WHERE ${unpaid} AND email = ? COLLATE NOCASE`,
  )
  const unpaidBefore = db.prepare(
    `SELECT id, number FROM orders WHERE ${unpaid} AND changed_at < ? LIMIT ${batchSize}`,
  )
  // The series of invoices goes on after its last number, so that one stays.
  const vouchersBefore = db.prepare(
    `SELECT id, number FROM orders WHERE placed_at < ?
       AND id IS NOT (SELECT "order" FROM invoices ORDER BY number DESC LIMIT 1)
     LIMIT ${batchSize}`,
  )
  const among = 'IN (SELECT value FROM json_each(?))'
  const traces = [
    `DELETE FROM payments WHERE "order" ${among}`,
    `DELETE FROM invoices WHERE "order" ${among}`,
    `DELETE FROM withdrawals WHERE "order" ${among}`,
    `UPDATE orders SET replaced_by = NULL WHERE replaced_by ${among}`,
    `DELETE FROM orders WHERE id ${among}`,
  ].map((sql) => db.prepareWrite(sql))
  const looseStatements = db.prepareWrite(
    'DELETE FROM withdrawals WHERE "order" IS NULL AND received_at < ?',
  )
  const looseStatementsOf = db.prepareWrite(
    'DELETE FROM withdrawals WHERE "order" IS NULL AND email = ? COLLATE NOCASE',
  )
  const events = db.prepareWrite('DELETE FROM stripe_events WHERE received_at < ?')

  /** As long as a payment page is open, money may still come for its order. */
  const isClosed = ({ number }: Leaving) => jobs.find(closePageKind, number) === null

  const remove = (tx: Transaction, leaving: readonly Leaving[]) => {
    const ids = JSON.stringify(leaving.map(({ id }) => id))
    for (const trace of traces) trace.run(tx, ids)
    const numbers = leaving.map(({ number }) => number)
    timeline.forget(tx, 'order', numbers)
    const about = numbers.flatMap((number) => mails.ofPrefix(`order-${number}-`))
    return eraseMails(tx, about, { mails, dataDir: config.dataDir })
  }

  return {
    /** Forgets a batch of what is over; belongs into a transaction. @returns how many orders, at most a batch */
    overdue(tx: Transaction): number {
      const now = clock()
      const firstYear = Number(dateAt(now).slice(0, 4)) - voucherYears
      const before = dayStart(`${firstYear}-01-01`)
      const left = (unpaidBefore.all(now - unpaidDays * dayMs) as Leaving[]).filter(isClosed)
      const leaving = left.length > 0 ? left : (vouchersBefore.all(before) as Leaving[])
      remove(tx, leaving)
      looseStatements.run(tx, before)
      events.run(tx, now - unpaidDays * dayMs)
      return leaving.length
    },

    /** Erases what of an address is no voucher; belongs into a transaction. */
    ofEmail(tx: Transaction, email: string): Required<Omit<Erasure, 'kept'>> {
      const leaving = (unpaidOf.all(email) as Leaving[]).filter(isClosed)
      const { afterwards } = remove(tx, leaving)
      const { changes } = looseStatementsOf.run(tx, email)
      return { erased: leaving.length + changes, afterwards }
    },
  }
}
