import type { Database } from '../db/open.ts'
import type { Order, OrderFilter, OrderLine } from './order.ts'

type Row = Omit<Order, 'reverseCharge' | 'digitalWaiver' | 'lines'> & {
  reverseCharge: number
  digitalWaiver: number
}
type LineRow = Omit<OrderLine, 'madeToOrder' | 'files'> & { madeToOrder: number; files: string }

const columns = `id, number, state, sequence, payment, email, name, company, vat_id AS vatId, street,
  postcode, city, country, reverse_charge AS reverseCharge, shipping, shipping_rate AS shippingRate,
  total, terms_version AS termsVersion, digital_waiver AS digitalWaiver, booking,
  booking_whole AS bookingWhole, replaced_by AS replacedBy, placed_at AS placedAt, changed_at AS changedAt, reserved_until AS reservedUntil,
  paid_at AS paidAt, shipped_at AS shippedAt, session, session_url AS sessionUrl,
  payment_intent AS paymentIntent`

/** Reads orders whole, with their lines. */
export type OrderReader = ReturnType<typeof createOrderReader>

/** Makes what prepares statements that read orders, and what makes orders of their rows. */
export function createOrderReader(db: Database) {
  const lines = db.prepare(
    `SELECT id, handle, variant, variant_id AS variantId, title, kind, quantity, unit, total, rate,
       made_to_order AS madeToOrder, licence, licence_version AS licenceVersion, files
     FROM order_lines WHERE "order" = ? ORDER BY id`,
  )
  const whole = (row: unknown): Order => ({
    ...(row as Row),
    reverseCharge: (row as Row).reverseCharge === 1,
    digitalWaiver: (row as Row).digitalWaiver === 1,
    lines: (lines.all((row as Row).id) as LineRow[]).map((line) => ({
      ...line,
      madeToOrder: line.madeToOrder === 1,
      files: JSON.parse(line.files) as string[],
    })),
  })
  return {
    select: (where: string) => db.prepare(`SELECT ${columns} FROM orders WHERE ${where}`),
    whole,
    wholeOrNull: (row: unknown) => (row === undefined ? null : whole(row)),
  }
}

/** Prepares the statements that find and list orders. */
export function createOrderQueries(db: Database, { select, whole, wholeOrNull }: OrderReader) {
  const byId = select('id = ?')
  const byNumber = select('number = ?')
  const bySession = select('session = ?')
  const byBooking = select("booking = ? AND state NOT IN ('cancelled', 'refunded') ORDER BY id")
  const ofLine = db.prepare('SELECT "order" FROM order_lines WHERE id = ?').pluck()
  const list = select(
    `placed_at >= :from AND placed_at < :before AND (:state IS NULL OR state = :state)
     ORDER BY placed_at, id`,
  )
  const ofEmails = select(
    `email COLLATE NOCASE IN (SELECT value FROM json_each(:emails))
     ORDER BY placed_at DESC, id DESC LIMIT :most`,
  )

  return {
    findId: (id: number): Order | null => wholeOrNull(byId.get(id)),
    find: (number: string): Order | null => wholeOrNull(byNumber.get(number)),
    ofSession: (session: string): Order | null => wholeOrNull(bySession.get(session)),
    /** The orders that stand of a booking, the first one first. */
    ofBooking: (reference: string): Order[] => byBooking.all(reference).map(whole),
    ofLine: (line: number): Order | null => {
      const id = ofLine.get(line) as number | undefined
      return id === undefined ? null : wholeOrNull(byId.get(id))
    },

    /** Orders in the order in which they were placed. */
    *list({ from = 0, before = Number.MAX_SAFE_INTEGER, state }: OrderFilter = {}) {
      for (const row of list.all({ from, before, state: state ?? null })) yield whole(row)
    },

    ofEmails: (emails: readonly string[], most: number): Order[] =>
      ofEmails.all({ emails: JSON.stringify(emails), most }).map(whole),
  }
}
