import Database from 'better-sqlite3'
import { isEmpty } from './database-files.ts'

/** A refund that went out at the bank, or may have: it's in a file for the bank. */
export type BankRefund = {
  readonly payout: number
  readonly order: string
  /** Cents. */
  readonly amount: number
  /** Whether staff noted it as paid; else it's in a file that the bank may have. */
  readonly isNoted: boolean
  /** Whether the backup lists it as due; else it has not even its credit note. */
  readonly isDueAgain: boolean
}

/** What a state did since a backup of it was made: none of it is undone, and the backup knows none of it. */
export type DoneSince = {
  readonly orders: number
  readonly bookings: number
  /** Payments that came in, by the bank and by card. */
  readonly payments: { readonly bank: number; readonly card: number }
  readonly refunds: { readonly bank: readonly BankRefund[]; readonly card: number }
  /** Emails that left, reminders of invoices among them, and of these the second ones. */
  readonly mails: { readonly sent: number; readonly reminders: number; readonly seconds: number }
}

/** The emails that ask for a late invoice. */
const reminderKinds = ['orderInvoiceReminder', 'orderSecondReminder'] as const

/**
 * Counts what was done since a moment by the state in a database file, which no process uses. It's read
 * as it is: it may be of another version than this program, whose tables can't be opened there.
 * @param since milliseconds of the epoch
 * @returns null if it isn't there, is empty, or can't be read
 */
export function readDoneSince(file: string, since: number): DoneSince | null {
  try {
    const db = new Database(file, { readonly: true, fileMustExist: true })
    try {
      if (isEmpty(db)) return null
      const count = (sql: string): number => {
        // An early version has not every table.
        try {
          return db.prepare(`SELECT count(*) ${sql}`).pluck().get({ since }) as number
        } catch {
          return 0
        }
      }
      const payments = (sources: string) =>
        count(`FROM payments WHERE recorded_at > :since AND amount > 0 AND source IN (${sources})`)
      const sent = "FROM mails WHERE status = 'sent' AND settled_at > :since"
      const kinds = reminderKinds.map((kind) => `'${kind}'`).join(', ')
      return {
        orders: count('FROM orders WHERE placed_at > :since'),
        bookings: count('FROM bookings WHERE requested_at > :since'),
        payments: { bank: payments("'bank', 'staff'"), card: payments("'stripe'") },
        refunds: {
          bank: bankRefunds(db, since),
          card: count("FROM payouts WHERE method = 'stripe' AND sent_at > :since"),
        },
        mails: {
          sent: count(sent),
          reminders: count(`${sent} AND kind IN (${kinds})`),
          seconds: count(`${sent} AND kind = '${reminderKinds[1]}'`),
        },
      }
    } finally {
      db.close()
    }
  } catch {
    return null
  }
}

function bankRefunds(db: Database.Database, since: number): BankRefund[] {
  try {
    const rows = db
      .prepare(
        `SELECT payouts.id AS payout, number AS "order", amount, sent_at IS NOT NULL AS noted,
            payouts.made_at <= :since AS due
          FROM payouts JOIN orders ON orders.id = payouts."order"
            LEFT JOIN payout_batches ON payout_batches.id = batch
          WHERE method = 'bank' AND (sent_at > :since
            OR sent_at IS NULL AND payout_batches.made_at > :since)
          ORDER BY payouts.id`,
      )
      .all({ since }) as {
      payout: number
      order: string
      amount: number
      noted: number
      due: number
    }[]
    return rows.map(({ noted, due, ...refund }) => ({
      ...refund,
      isNoted: noted === 1,
      isDueAgain: due === 1,
    }))
  } catch {
    return []
  }
}
