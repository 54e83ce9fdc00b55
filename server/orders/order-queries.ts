import { dayMs, hourMs } from '#shared/dates/durations.ts'
import { createAddresses } from '../db/addresses.ts'
import type { Database } from '../db/open.ts'
import { createRowSearch } from '../db/row-search.ts'
import { integer, query, text } from '../db/table.ts'
import type { Order, OrderFilter } from './order.ts'
import { orderLines, orders, type OrderRow } from './schema.ts'

/** Prepares statements whose rows are whole orders, with their lines. */
export type OrderReader = ReturnType<typeof createOrderReader>

/** Creates the function that prepares statements reading whole orders. */
export function createOrderReader(db: Database) {
  const lines = orderLines.select(db, 'WHERE "order" = :id ORDER BY id')
  const whole = ({ secret: _secret, contentHash: _hash, ...row }: OrderRow): Order => ({
    ...row,
    lines: lines.all({ id: row.id }).map(({ order: _order, ...line }) => line),
  })
  return {
    /** @param rest of the statement, from WHERE on; values by name */
    select(rest: string) {
      const statement = orders.select(db, rest)
      type Values = Parameters<typeof statement.get>[0]
      return {
        get(values?: Values): Order | null {
          const row = statement.get(values)
          return row && whole(row)
        },
        all: (values?: Values): Order[] => statement.all(values).map(whole),
        *iterate(values?: Values): Generator<Order> {
          for (const row of statement.iterate(values)) yield whole(row)
        },
      }
    },
  }
}

/** Prepares the statements that find and list orders. */
export function createOrderQueries(db: Database, { select }: OrderReader) {
  const byId = select('WHERE id = :id')
  const bySecret = select('WHERE secret = :secret')
  const secretOf = query(db, 'SELECT secret FROM orders WHERE id = :id', { secret: text() })
  const byNumber = select('WHERE number = :number')
  const bySession = select('WHERE session = :session')
  const byIntent = select(
    // The one that it came for is the first; what of it covers a fee is at another one, too.
    `WHERE id IN (SELECT "order" FROM payments WHERE payment_intent = :intent)
     ORDER BY (SELECT min(payments.id) FROM payments
       WHERE "order" = orders.id AND payment_intent = :intent)`,
  )
  const byBooking = select(
    "WHERE booking = :booking AND state NOT IN ('cancelled', 'refunded') ORDER BY id",
  )
  const ofLine = select('WHERE id = (SELECT "order" FROM order_lines WHERE id = :line)')
  // Those of the day that came to nothing count, too: each has sent an email with a numbered document.
  const unpaidOfMailbox = query(
    db,
    `SELECT count(*) AS orders FROM claims JOIN orders ON number = thing
     WHERE mailbox = :mailbox AND noun = 'order' AND parked IS NULL AND thing <> :except
       AND paid_at IS NULL
       AND (state IN ('pending', 'open')
         OR (payment = 'invoice' AND at > :now - ${dayMs} AND at <= :now + ${hourMs}))`,
    { orders: integer() },
  )
  const unpaidOfNetwork = query(
    db,
    `SELECT count(*) AS orders, coalesce(sum(units), 0) AS pieces
     FROM claims JOIN orders ON number = thing
     WHERE network = :network AND noun = 'order' AND parked IS NULL AND thing <> :except
       AND state IN ('pending', 'open')`,
    { orders: integer(), pieces: integer() },
  )
  const unpaidPieces = query(
    db,
    `SELECT coalesce(sum(quantity), 0) AS "all",
       coalesce(sum(quantity) FILTER (WHERE payment = 'invoice'), 0) AS transfer
     FROM order_lines JOIN orders ON orders.id = "order"
     WHERE variant_id = :variant AND state IN ('pending', 'open')`,
    { all: integer(), transfer: integer() },
  )
  const inRange = 'placed_at >= :from AND placed_at < :before ORDER BY placed_at, id'
  const list = select(`WHERE ${inRange}`)
  const listInState = select(`WHERE state = :state AND ${inRange}`)
  const listed = `WHERE placed_at >= :from AND placed_at < :before
    AND (:state IS NULL OR state = :state) AND (:email IS NULL OR email = :email COLLATE NOCASE)`
  const newest = select(`${listed} ORDER BY placed_at DESC, id DESC`)
  const count = query(db, `SELECT count(*) AS count FROM orders ${listed}`, { count: integer() })
  const valuesOf = ({
    from = 0,
    before = Number.MAX_SAFE_INTEGER,
    state,
    email,
  }: OrderFilter & { email?: string | undefined }) => ({
    from,
    before,
    state: state ?? null,
    email: email ?? null,
  })
  const unshipped = select(
    `WHERE state IN ('paid', 'open')
       AND EXISTS (SELECT 1 FROM order_lines WHERE "order" = orders.id AND kind = 'physical')
     ORDER BY placed_at, id`,
  )
  const holding = select(
    `WHERE state IN ('pending', 'open', 'paid')
       AND EXISTS (SELECT 1 FROM order_lines WHERE "order" = orders.id AND kind = 'physical')`,
  )
  // Late charges aren't looked at here: what they take of the rest, the balance knows.
  const paidBeyond = select(
    `JOIN (SELECT "order" AS payer, sum(amount) AS paid FROM payments GROUP BY "order") ON payer = id
     WHERE paid > CASE WHEN state IN ('cancelled', 'expired', 'refunded') THEN 0 ELSE total +
       (SELECT coalesce(sum(invoices.total), 0) FROM invoices
        WHERE "order" = orders.id AND kind = 'credit') END
     ORDER BY placed_at, id`,
  )
  const paidBelow = select(
    `JOIN (SELECT "order" AS payer, sum(amount) AS paid FROM payments GROUP BY "order") ON payer = id
     WHERE state IN ('paid', 'shipped') AND paid_at IS NOT NULL AND paid < total AND paid < total +
       (SELECT coalesce(sum(invoices.total), 0) FROM invoices
        WHERE "order" = orders.id AND kind = 'credit')
     ORDER BY placed_at, id`,
  )
  const ofEmail = select('WHERE email = :email COLLATE NOCASE ORDER BY placed_at DESC, id DESC')
  const ofClient = select(
    `WHERE email COLLATE NOCASE IN (SELECT value FROM json_each(:emails))
     AND (verified_at IS NOT NULL OR paid_at IS NOT NULL)
     ORDER BY placed_at DESC, id DESC LIMIT :max`,
  )

  return {
    findId: (id: number): Order | null => byId.get({ id }),
    findSecret: (secret: string): Order | null => bySecret.get({ secret }),
    /** What the links of an order are signed over; no row of an order carries it further. */
    secretOf({ id, number }: Order): string {
      const row = secretOf.get({ id })
      if (!row) throw new Error(`Order ${number} is gone.`)
      return row.secret
    },
    find: (number: string): Order | null => byNumber.get({ number }),
    ofSession: (session: string): Order | null => bySession.get({ session }),
    ofPaymentIntent: (intent: string): Order[] => byIntent.all({ intent }),
    /** The orders that stand of a booking, the first one first. */
    ofBooking: (booking: string): Order[] => byBooking.all({ booking }),
    ofLine: (line: number): Order | null => ofLine.get({ line }),

    /** The unpaid orders of a mailbox (see `Sender`), and invoices of it in the last day, without one. */
    unpaidOfMailbox: (mailbox: string, now: number, except: string): number =>
      unpaidOfMailbox.get({ mailbox, now, except })!.orders,
    /** The unpaid orders of a network and the limited pieces that they reserve, without one of them. */
    unpaidOfNetwork: (network: string, except: string) => unpaidOfNetwork.get({ network, except })!,
    /** How many pieces of a variant unpaid orders reserve: all of them, and those by bank transfer. */
    unpaidPieces: (variant: number) => unpaidPieces.get({ variant })!,

    /** Orders in the order in which they were placed. */
    list: ({ from = 0, before = Number.MAX_SAFE_INTEGER, state }: OrderFilter = {}): Order[] =>
      state === undefined ? list.all({ from, before }) : listInState.all({ from, before, state }),

    /**
     * Finds the ids of orders by number, names, addresses, VAT number, booking, what was ordered, and the
     * numbers and payment references of their documents.
     */
    search: createRowSearch(db, 'orders', [
      'number',
      'name',
      'company',
      'vat_id',
      'email',
      'booking',
      'street',
      'street2',
      'postcode',
      'city',
      'region',
      'country',
      '(SELECT group_concat(title, char(10)) FROM order_lines WHERE "order" = orders.id)',
      `(SELECT group_concat(number || char(10) || reference, char(10)) FROM invoices
        WHERE "order" = orders.id)`,
    ]),

    /** Orders with goods that aren't marked as shipped, paid or not, the oldest first. */
    unshipped: (): Order[] => unshipped.all(),

    /** Orders with goods that aren't all sent, those that are being paid by card included. */
    holding: (): Order[] => holding.all(),

    /** Orders as a list shows them: the newest first, one at a time. */
    newest: (filter: Parameters<typeof valuesOf>[0] = {}): Iterable<Order> =>
      newest.iterate(valuesOf(filter)),
    /** How many orders a filter lets through. */
    count: (filter: Parameters<typeof valuesOf>[0] = {}): number =>
      count.get(valuesOf(filter))!.count,

    /** Orders that more was paid for than they come to after their credit notes, the oldest first. */
    paidBeyond: (): Order[] => paidBeyond.all(),
    /** Orders that were paid, and hold less than they come to after their credit notes, the oldest first. */
    paidBelow: (): Order[] => paidBelow.all(),

    /** Every order of an address. */
    ofEmail: (email: string): Order[] => ofEmail.all({ email }),
    addresses: createAddresses(db, 'orders'),

    /**
     * Orders of a client's addresses, the latest first: those that are known to come from them, and
     * those that are paid.
     */
    ofClient: (emails: readonly string[], max: number): Order[] =>
      ofClient.all({ emails: JSON.stringify(emails), max }),
  }
}
