import { dayMs } from '#shared/dates/durations.ts'
import { dateAt, dayStart } from '#shared/dates/civil-dates.ts'
import { batchSize } from '../db/in-batches.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'
import { integer, query } from '../db/table.ts'
import type { Platform } from '../feature.ts'
import type { BooksSettings } from './books/settings.ts'
import { eraseMails } from '../mail/erase.ts'
import type { Erasure } from '../contributions/personal-data.ts'
import { closePageKind, endOrder, type PaymentDeps } from './payment/end-order.ts'
import type { Order } from './order.ts'
import { orders } from './schema.ts'

/**
 * Years for which vouchers have to be kept, from the end of the year in which the fiscal year of the last
 * one of their order ended (Accounting Act 1336/1997, 2:10).
 */
export const voucherYears = 6
/** The same for sales through the One Stop Shop (Regulation (EU) 282/2011, art. 63c). */
export const ossYears = 10
/** Days after which an order that was not paid is forgotten, and what the payment service told. */
export const unpaidDays = 90

/** Days after which an order is forgotten that only waited. */
export const parkedDays = 14

/** The forgetting of orders; the only place that deletes their rows. */
export type OrderRetention = ReturnType<typeof createRetention>

/** An order that goes, as far as its traces need it. */
type Leaving = { id: number; number: string }

/** Orders without any document or payment. */
const unpaid = `state IN ('expired', 'cancelled')
  AND NOT EXISTS (SELECT 1 FROM invoices WHERE invoices."order" = orders.id)
  AND NOT EXISTS (SELECT 1 FROM payments WHERE payments."order" = orders.id)`

/** The day of the last voucher of an order. */
const lastVoucher = `max(
  strftime('%Y-%m-%d', placed_at / 1000, 'unixepoch'),
  coalesce((SELECT max(issued_on) FROM invoices WHERE invoices."order" = orders.id), ''),
  coalesce((SELECT max(paid_on) FROM payments WHERE payments."order" = orders.id), ''),
  coalesce((SELECT max(claimed_on) FROM charges WHERE charges."order" = orders.id), ''),
  coalesce((SELECT strftime('%Y-%m-%d', max(sent_at) / 1000, 'unixepoch')
    FROM payouts WHERE payouts."order" = orders.id), '')
)`

/** The last year for which an order has to be kept. */
const keptThrough = `(CAST(substr(${lastVoucher}, 1, 4) AS INTEGER) + (substr(${lastVoucher}, 6) > :yearEnd)
  + CASE WHEN EXISTS (SELECT 1 FROM order_lines
      WHERE order_lines."order" = orders.id AND tax_ground = 'oss')
    THEN ${ossYears} ELSE ${voucherYears} END)`

/**
 * Creates the deletion of orders past their retention period, and of those that aren't vouchers on
 * request.
 */
export function createRetention(
  db: Database,
  {
    config,
    clock,
    jobs,
    mails,
    timeline,
    settings,
    payment,
  }: Pick<Platform, 'config' | 'clock' | 'jobs' | 'mails' | 'timeline'> & {
    settings: () => Pick<BooksSettings, 'fiscalYearEnd'>
    payment: PaymentDeps
  },
) {
  const shape = { id: orders.shape.id, number: orders.shape.number }
  const ordersThat = (rest: string) =>
    query(db, `SELECT id, number FROM orders WHERE ${rest}`, shape)
  const unpaidOf = ordersThat(`${unpaid} AND email = :email COLLATE NOCASE`)
  const unpaidBefore = ordersThat(`${unpaid} AND changed_at < :before LIMIT ${batchSize}`)
  // What never held anything was kept for staff to look at.
  const parkedBefore = ordersThat(
    `${unpaid} AND changed_at < :before
       AND EXISTS (SELECT 1 FROM claims WHERE noun = 'order' AND thing = number AND parked IS NOT NULL)
     LIMIT ${batchSize}`,
  )
  // The series of invoices goes on after its last number, so that one stays.
  const vouchersBefore = ordersThat(
    `placed_at < :before AND id IS NOT (SELECT "order" FROM invoices ORDER BY number DESC LIMIT 1)
     AND ${keptThrough} < :year
     LIMIT ${batchSize}`,
  )
  const keptYear = query(
    db,
    `SELECT coalesce(max(${keptThrough}), 0) AS year FROM orders
     WHERE email = :email COLLATE NOCASE`,
    { year: integer() },
  )
  /** The last day of the fiscal year as the statements compare it; that of February is the 29th. */
  const yearEnd = () => {
    const { fiscalYearEnd } = settings()
    return fiscalYearEnd === '02-28' ? '02-29' : fiscalYearEnd
  }
  const among = 'IN (SELECT value FROM json_each(?))'
  const traces = [
    `DELETE FROM payouts WHERE "order" ${among}`,
    `DELETE FROM payments WHERE "order" ${among}`,
    `DELETE FROM charges WHERE "order" ${among}`,
    `DELETE FROM invoices WHERE "order" ${among}`,
    `DELETE FROM withdrawals WHERE "order" ${among}`,
    `UPDATE orders SET replaced_by = NULL WHERE replaced_by ${among}`,
    `DELETE FROM orders WHERE id ${among}`,
  ].map((sql) => db.prepareWrite(sql))
  const looseStatements = db.prepareWrite(
    `DELETE FROM withdrawals WHERE id IN (SELECT id FROM withdrawals
       WHERE "order" IS NULL AND received_at < ? LIMIT ${batchSize})`,
  )
  const looseStatementsOf = db.prepareWrite(
    'DELETE FROM withdrawals WHERE "order" IS NULL AND email = ? COLLATE NOCASE',
  )
  const events = db.prepareWrite(
    `DELETE FROM stripe_events WHERE id IN
       (SELECT id FROM stripe_events WHERE received_at < ? LIMIT ${batchSize})`,
  )

  /** As long as a payment page is open, money may still come for its order. */
  const isClosed = ({ number }: Leaving) => jobs.find(closePageKind, number) === null

  const remove = (tx: Transaction, leaving: readonly Leaving[]) => {
    const ids = JSON.stringify(leaving.map(({ id }) => id))
    for (const trace of traces) trace.run(tx, ids)
    const numbers = leaving.map(({ number }) => number)
    timeline.forget(tx, 'order', numbers)
    const about = numbers.flatMap((number) => mails.of('order', number))
    return eraseMails(tx, about, { mails, dataDir: config.dataDir })
  }

  return {
    /** Forgets a batch of what is over. Call it inside a transaction. @returns how many of a sort, at most a batch */
    overdue(tx: Transaction): number {
      const now = clock()
      const year = Number(dateAt(now).slice(0, 4))
      const firstYear = year - voucherYears
      const before = dayStart(`${firstYear}-01-01`)
      const over = [
        ...parkedBefore.all({ before: now - parkedDays * dayMs }),
        ...unpaidBefore.all({ before: now - unpaidDays * dayMs }),
      ].filter(isClosed)
      const leaving =
        over.length > 0 ? over : vouchersBefore.all({ before, year, yearEnd: yearEnd() })
      remove(tx, leaving)
      const { changes: statements } = looseStatements.run(tx, before)
      const { changes: entries } = events.run(tx, now - unpaidDays * dayMs)
      return Math.max(leaving.length, statements, entries)
    },

    /** The last day for which vouchers of an address have to be kept; null for one without any. */
    keptUntil(email: string): string | null {
      const { year } = keptYear.get({ email, yearEnd: yearEnd() })!
      return year === 0 ? null : `${year}-12-31`
    },

    /**
     * Erases what of an address isn't a voucher; what is on hold ends with it. Call it inside a
     * transaction.
     * @returns also the orders that were on hold
     */
    ofEmail(
      tx: Transaction,
      email: string,
    ): Required<Omit<Erasure, 'kept' | 'named'>> & { held: Order[] } {
      const held = payment.orders.ofEmail(email).filter(({ state }) => state === 'waiting')
      for (const order of held) {
        endOrder(tx, payment, order, { to: 'cancelled', actor: 'system' })
        // No payment page is made for one on hold.
        jobs.cancel(tx, closePageKind, order.number)
      }
      const leaving = unpaidOf.all({ email }).filter(isClosed)
      const { afterwards } = remove(tx, leaving)
      const { changes } = looseStatementsOf.run(tx, email)
      return { erased: leaving.length + changes, afterwards, held }
    },
  }
}
