import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'
import type { NewOrder, Order, OrderChange, OrderFilter, OrderLine } from './order.ts'
import { createPaymentRecords } from './payment-records.ts'

/** The orders; the only place with their SQL. */
export type OrderStore = ReturnType<typeof createOrderStore>

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

/** Prepares the statements of the orders. */
export function createOrderStore(db: Database, { clock }: { clock: () => number }) {
  const insert = db
    .prepareWrite(
      `INSERT INTO orders (number, cart_key, content_hash, state, payment, email, name, company,
         vat_id, street, postcode, city, country, reverse_charge, shipping, shipping_rate, total,
         terms_version, digital_waiver, booking, booking_whole, placed_at, changed_at, reserved_until)
       VALUES (:number, :cartKey, :contentHash, :state, :payment, :email, :name, :company, :vatId,
         :street, :postcode, :city, :country, :reverseCharge, :shipping, :shippingRate, :total,
         :termsVersion, :digitalWaiver, :booking, :bookingWhole, :placedAt, :placedAt, :reservedUntil)
       ON CONFLICT (number) DO NOTHING RETURNING id`,
    )
    .pluck()
  const insertLine = db.prepareWrite(
    `INSERT INTO order_lines ("order", handle, variant, variant_id, title, kind, quantity, unit,
       total, rate, made_to_order, licence, licence_version, files)
     VALUES (:order, :handle, :variant, :variantId, :title, :kind, :quantity, :unit, :total, :rate,
       :madeToOrder, :licence, :licenceVersion, :files)`,
  )
  const one = (where: string) => db.prepare(`SELECT ${columns} FROM orders WHERE ${where}`)
  const byId = one('id = ?')
  const byNumber = one('number = ?')
  const bySession = one('session = ?')
  const byBooking = one("booking = ? AND state NOT IN ('cancelled', 'refunded') ORDER BY id")
  const byKey = db.prepare('SELECT id, content_hash AS contentHash FROM orders WHERE cart_key = ?')
  const unpaid = one(
    `state IN ('pending', 'expired') AND payment = 'stripe' AND paid_at IS NULL
     AND replaced_by IS NULL AND cart_key >= :from AND cart_key < :before ORDER BY id`,
  )
  const latest = one(
    `state NOT IN ('pending', 'expired', 'cancelled') AND cart_key >= :from AND cart_key < :before
     ORDER BY id DESC LIMIT 1`,
  )
  const replace = db.prepareWrite(
    `UPDATE orders SET replaced_by = CASE id WHEN :by THEN NULL ELSE :by END
     WHERE id IN (:was, :by) OR replaced_by = :was`,
  )
  const keyOf = db.prepare('SELECT cart_key FROM orders WHERE id = ?').pluck()
  const lines = db.prepare(
    `SELECT id, handle, variant, variant_id AS variantId, title, kind, quantity, unit, total, rate,
       made_to_order AS madeToOrder, licence, licence_version AS licenceVersion, files
     FROM order_lines WHERE "order" = ? ORDER BY id`,
  )
  const ofLine = db.prepare('SELECT "order" FROM order_lines WHERE id = ?').pluck()
  const change = db.prepareWrite(
    `UPDATE orders SET state = :state, sequence = sequence + 1, reserved_until = :reservedUntil,
       paid_at = :paidAt, shipped_at = :shippedAt, session = :session, session_url = :sessionUrl,
       payment_intent = :paymentIntent, changed_at = :now
     WHERE id = :id AND sequence = :sequence`,
  )
  const list = db.prepare(
    `SELECT ${columns} FROM orders
     WHERE placed_at >= :from AND placed_at < :before AND (:state IS NULL OR state = :state)
     ORDER BY placed_at, id`,
  )
  const ofEmails = db.prepare(
    `SELECT ${columns} FROM orders
     WHERE email COLLATE NOCASE IN (SELECT value FROM json_each(:emails))
     ORDER BY placed_at DESC, id DESC LIMIT :most`,
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
  const wholeOrNull = (row: unknown) => (row === undefined ? null : whole(row))

  return {
    /** Keeps a new order. @returns it, or null when its number is taken */
    insert(tx: Transaction, order: NewOrder): Order | null {
      const { lines: bought, ...facts } = order
      const id = insert.get(tx, {
        ...facts,
        reverseCharge: facts.reverseCharge ? 1 : 0,
        digitalWaiver: facts.digitalWaiver ? 1 : 0,
      }) as number | undefined
      if (id === undefined) return null
      for (const line of bought) {
        insertLine.run(tx, {
          ...line,
          order: id,
          madeToOrder: line.madeToOrder ? 1 : 0,
          files: JSON.stringify(line.files),
        })
      }
      return whole(byId.get(id))
    },

    findId: (id: number): Order | null => wholeOrNull(byId.get(id)),
    find: (number: string): Order | null => wholeOrNull(byNumber.get(number)),
    ofSession: (session: string): Order | null => wholeOrNull(bySession.get(session)),
    /** The orders that stand of a booking, the first one first. */
    ofBooking: (reference: string): Order[] => byBooking.all(reference).map(whole),
    ofLine: (line: number): Order | null => {
      const id = ofLine.get(line) as number | undefined
      return id === undefined ? null : wholeOrNull(byId.get(id))
    },
    /** The order that the key of a cart stands for. */
    ofKey: (key: string) =>
      (byKey.get(key) as { id: number; contentHash: string } | undefined) ?? null,
    /** The orders of a cart that wait for their payment, or did in vain, and that none replaced. */
    unpaidOf: (cart: number): Order[] =>
      unpaid.all({ from: `${cart}/`, before: `${cart}0` }).map(whole),
    /** The order that a cart became last, as long as it stands or was paid. */
    latestOf: (cart: number): Order | null =>
      wholeOrNull(latest.get({ from: `${cart}/`, before: `${cart}0` })),
    /** Notes that an order stands in place of another one, and of all that this one stood for. */
    replace: (tx: Transaction, was: Order, by: Order): void =>
      void replace.run(tx, { was: was.id, by: by.id }),
    /** The cart that an order was placed from. */
    cartOf: (id: number): number | null =>
      Number((keyOf.get(id) as string | null)?.split('/', 1)[0]) || null,

    /**
     * Changes an order if it is still as it was read (compare-and-swap by its sequence).
     * @returns the order as it is now, or null when another transaction changed it first
     */
    change(tx: Transaction, order: Order, to: OrderChange): Order | null {
      const merged = { ...order, ...to }
      const { changes } = change.run(tx, {
        id: order.id,
        sequence: order.sequence,
        state: merged.state,
        reservedUntil: merged.reservedUntil,
        paidAt: merged.paidAt,
        shippedAt: merged.shippedAt,
        session: merged.session,
        sessionUrl: merged.sessionUrl,
        paymentIntent: merged.paymentIntent,
        now: clock(),
      })
      return changes === 1 ? whole(byId.get(order.id)) : null
    },

    /** Orders in the order in which they were placed. */
    *list({ from = 0, before = Number.MAX_SAFE_INTEGER, state }: OrderFilter = {}) {
      for (const row of list.all({ from, before, state: state ?? null })) yield whole(row)
    },

    ofEmails: (emails: readonly string[], most: number): Order[] =>
      ofEmails.all({ emails: JSON.stringify(emails), most }).map(whole),

    ...createPaymentRecords(db, { clock }),
  }
}
