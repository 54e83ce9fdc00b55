import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'
import { createCartOrders } from './cart-orders.ts'
import type { NewOrder, Order, OrderChange } from './order.ts'
import { createOrderQueries, createOrderReader } from './order-queries.ts'
import { createPaymentRecords } from './payment-records.ts'

/** The orders; the only place with their SQL. */
export type OrderStore = ReturnType<typeof createOrderStore>

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
  const change = db.prepareWrite(
    `UPDATE orders SET state = :state, sequence = sequence + 1, reserved_until = :reservedUntil,
       paid_at = :paidAt, shipped_at = :shippedAt, session = :session, session_url = :sessionUrl,
       payment_intent = :paymentIntent, changed_at = :now
     WHERE id = :id AND sequence = :sequence`,
  )
  const reader = createOrderReader(db)
  const queries = createOrderQueries(db, reader)

  return {
    ...queries,
    ...createCartOrders(db, reader),
    ...createPaymentRecords(db, { clock }),

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
      return queries.findId(id)
    },

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
      return changes === 1 ? queries.findId(order.id) : null
    },
  }
}
