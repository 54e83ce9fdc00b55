import Database from 'better-sqlite3'
import { isEmpty } from './database-files.ts'
import { leaversSince } from './left-newsletter.ts'

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

/** Pieces that were ordered, and that the backup has for sale. */
export type SoldPieces = {
  readonly handle: string
  readonly variant: string
  readonly pieces: number
}

/** What a state did since a backup of it was made: none of it is undone, and the backup knows none of it. */
export type DoneSince = {
  readonly orders: number
  /** What these orders took of the stock, those that ended left out. */
  readonly sold: readonly SoldPieces[]
  readonly bookings: number
  /** Messages of visitors, spam left out. */
  readonly messages: number
  /** Addresses that left the newsletter, or were taken off it, and that the backup may have on its list. */
  readonly leavers: readonly string[]
  /** Gift cards that were sold, and orders that some paid of. */
  readonly giftCards: { readonly sold: number; readonly used: number }
  /** Payments that came in, by the bank and by card. */
  readonly payments: { readonly bank: number; readonly card: number }
  readonly refunds: { readonly bank: readonly BankRefund[]; readonly card: number }
  /** Emails that left, reminders of invoices among them, and of these the second ones. */
  readonly mails: { readonly sent: number; readonly reminders: number; readonly seconds: number }
}

/** The emails that ask for a late invoice. */
const reminderKinds = ['orderInvoiceReminder', 'orderSecondReminder'] as const

/**
 * Counts what was done since a moment by states in database files, which no process uses. They're read as
 * they are: they may be of another version than this program, whose tables can't be opened there.
 * @param states each with the moment from which on it was in place; a restore has ended all but the first
 * @param since milliseconds of the epoch
 * @returns null if none is there, or can be read
 */
export function readDoneSince(
  states: readonly { readonly file: string; readonly from: number }[],
  since: number,
): DoneSince | null {
  const known = states.map((state) => readDone(state, since)).filter((done) => done !== null)
  if (known.length === 0) return null
  return { ...known.reduce(both), leavers: leaversSince(states, since).map(({ email }) => email) }
}

/** What one of several states did. */
type Counted = Omit<DoneSince, 'leavers'>

/** What two states did, one after the other. */
function both(one: Counted, other: Counted): Counted {
  const refunds = [...one.refunds.bank]
  for (const refund of other.refunds.bank) {
    // A refund that was due again after the first restore is still one.
    const at = refunds.findIndex(
      ({ payout, order }) => payout === refund.payout && order === refund.order,
    )
    if (at < 0) refunds.push(refund)
    else if (refund.isNoted) refunds[at] = refund
  }
  return {
    orders: one.orders + other.orders,
    sold: summed([...one.sold, ...other.sold]),
    bookings: one.bookings + other.bookings,
    messages: one.messages + other.messages,
    giftCards: {
      sold: one.giftCards.sold + other.giftCards.sold,
      used: one.giftCards.used + other.giftCards.used,
    },
    payments: {
      bank: one.payments.bank + other.payments.bank,
      card: one.payments.card + other.payments.card,
    },
    refunds: {
      bank: refunds.toSorted((a, b) => a.payout - b.payout),
      card: one.refunds.card + other.refunds.card,
    },
    mails: {
      sent: one.mails.sent + other.mails.sent,
      reminders: one.mails.reminders + other.mails.reminders,
      seconds: one.mails.seconds + other.mails.seconds,
    },
  }
}

function readDone(
  { file, from }: { readonly file: string; readonly from: number },
  since: number,
): Counted | null {
  try {
    const db = new Database(file, { readonly: true, fileMustExist: true })
    try {
      if (isEmpty(db)) return null
      const count = (sql: string): number => {
        // An early version has not every table.
        try {
          return db.prepare(`SELECT count(*) ${sql}`).pluck().get({ from }) as number
        } catch {
          return 0
        }
      }
      const payments = (sources: string) =>
        count(`FROM payments WHERE recorded_at > :from AND amount > 0 AND source IN (${sources})`)
      const sent = "FROM mails WHERE status = 'sent' AND settled_at > :from"
      const kinds = reminderKinds.map((kind) => `'${kind}'`).join(', ')
      return {
        orders: count('FROM orders WHERE placed_at > :from'),
        sold: soldPieces(db, from),
        bookings: count('FROM bookings WHERE requested_at > :from'),
        messages: count("FROM tickets WHERE received_at > :from AND status <> 'spam'"),
        giftCards: {
          sold: count('FROM gift_cards WHERE made_at > :from'),
          used: count('FROM gift_card_uses WHERE used_at > :from AND back < amount'),
        },
        payments: { bank: payments("'bank', 'staff'"), card: payments("'stripe'") },
        refunds: {
          bank: bankRefunds(db, { from, since }),
          card: count("FROM payouts WHERE method = 'stripe' AND sent_at > :from"),
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

/** Pieces by variant, each once. */
function summed(sold: readonly SoldPieces[]): SoldPieces[] {
  const groups = Map.groupBy(sold, ({ handle, variant }) => `${handle} ${variant}`)
  return [...groups.values()].map((group) => ({
    ...group[0]!,
    pieces: group.reduce((sum, { pieces }) => sum + pieces, 0),
  }))
}

function soldPieces(db: Database.Database, from: number): SoldPieces[] {
  try {
    return db
      .prepare(
        `SELECT order_lines.handle, order_lines.variant, sum(quantity) AS pieces
        FROM order_lines JOIN orders ON orders.id = order_lines."order"
          JOIN variants ON variants.id = variant_id
        WHERE placed_at > :from AND state IN ('open', 'paid', 'shipped')
          AND order_lines.kind = 'physical' AND stock IS NOT NULL
        GROUP BY 1, 2 ORDER BY 1, 2`,
      )
      .all({ from }) as SoldPieces[]
  } catch {
    return []
  }
}

function bankRefunds(
  db: Database.Database,
  { from, since }: { from: number; since: number },
): BankRefund[] {
  try {
    const rows = db
      .prepare(
        `SELECT payouts.id AS payout, number AS "order", amount, sent_at IS NOT NULL AS noted,
            payouts.made_at <= :since AS due
          FROM payouts JOIN orders ON orders.id = payouts."order"
            LEFT JOIN payout_batches ON payout_batches.id = batch
          WHERE method = 'bank' AND (sent_at > :from
            OR sent_at IS NULL AND payout_batches.made_at > :from)
          ORDER BY payouts.id`,
      )
      .all({ from, since }) as {
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
