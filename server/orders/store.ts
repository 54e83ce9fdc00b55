import type { OrderState, PaymentMethod } from '#shared/orders.ts'
import type { ProductKind } from '#shared/shop.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'
import { createPaymentRecords } from './payment-records.ts'

/** A line of an order, as it was bought. Cents; `rate` in per cent. */
export type OrderLine = {
  readonly id: number
  readonly handle: string | null
  readonly variant: string | null
  readonly variantId: number | null
  readonly title: string
  readonly kind: ProductKind
  readonly quantity: number
  readonly unit: number
  readonly total: number
  readonly rate: number
  readonly madeToOrder: boolean
  readonly licence: string | null
  readonly licenceVersion: string | null
  readonly files: readonly string[]
}

/** An order. Cents, milliseconds of the epoch. */
export type Order = {
  readonly id: number
  readonly number: string
  readonly state: OrderState
  readonly sequence: number
  readonly payment: PaymentMethod
  readonly email: string
  readonly name: string
  readonly company: string | null
  readonly vatId: string | null
  readonly street: string | null
  readonly postcode: string | null
  readonly city: string | null
  readonly country: string
  readonly reverseCharge: boolean
  readonly shipping: number
  readonly shippingRate: number | null
  readonly total: number
  readonly termsVersion: string
  readonly digitalWaiver: boolean
  readonly booking: string | null
  /** What all of the booking costs; the order may be over a part of it. */
  readonly bookingWhole: number | null
  readonly placedAt: number
  readonly changedAt: number
  readonly reservedUntil: number | null
  readonly paidAt: number | null
  readonly shippedAt: number | null
  readonly session: string | null
  readonly sessionUrl: string | null
  readonly paymentIntent: string | null
  readonly lines: readonly OrderLine[]
}

/** What a new order is made from. */
export type NewOrder = Omit<
  Order,
  | 'id'
  | 'sequence'
  | 'changedAt'
  | 'paidAt'
  | 'shippedAt'
  | 'session'
  | 'sessionUrl'
  | 'paymentIntent'
  | 'lines'
> & { cartKey: string | null; contentHash: string; lines: readonly Omit<OrderLine, 'id'>[] }

/** What changes of an order; what is left out stays. */
export type OrderChange = Partial<
  Pick<
    Order,
    'state' | 'reservedUntil' | 'paidAt' | 'shippedAt' | 'session' | 'sessionUrl' | 'paymentIntent'
  >
>

/** Which orders to list: placed from (inclusive) and before, in some state. */
export type OrderFilter = { from?: number; before?: number; state?: OrderState }

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
  booking_whole AS bookingWhole, placed_at AS placedAt, changed_at AS changedAt, reserved_until AS reservedUntil,
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
    /** The cart that an order was placed from. */
    cartOf: (id: number): number | null =>
      Number((keyOf.get(id) as string | null)?.split('/', 1)[0]) || null,

    /**
     * Changes an order if it is still as it was read (compare-and-swap by its sequence).
     * @returns the order as it is now, or null when somebody else was faster
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
