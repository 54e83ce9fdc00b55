import type { Transaction } from '../db/group-commit.ts'
import { newNumber } from '../db/numbers.ts'
import type { Database } from '../db/open.ts'
import { integer, query } from '../db/table.ts'
import { newSecret } from '../secrets/ids.ts'
import type { NewOrder, Order, OrderChange } from './order.ts'
import { createOrderQueries, createOrderReader, type OrderReader } from './order-queries.ts'
import { createPaymentRecords } from './payment/payment-records.ts'
import { cartOrders, orderLines, orders } from './schema.ts'

/** The orders; the only place with their SQL. */
export type OrderStore = ReturnType<typeof createOrderStore>

/** A submission of a cart: the cart's number, and the key that the browser drew for it. */
export type Submission = { cart: number; key: string }

/** Prepares the statements of the orders. */
export function createOrderStore(db: Database, { clock }: { clock: () => number }) {
  const freeId = query(db, `SELECT ${newNumber('orders')} AS id`, { id: integer() })
  const insert = orders.insert(db, 'ON CONFLICT (number) DO NOTHING')
  const insertLine = orderLines.insert(db)
  const change = orders.update(
    db,
    [
      'state',
      'payment',
      'sequence',
      'reservedUntil',
      'paidAt',
      'shippedAt',
      'readyAt',
      'digitalWaiver',
      'waivedAt',
      'session',
      'sessionUrl',
      'paymentIntent',
      'street',
      'street2',
      'postcode',
      'city',
      'region',
      'phone',
      'changedAt',
    ],
    'WHERE id = :id AND sequence = :was',
  )
  const verify = orders.update(db, ['verifiedAt'], 'WHERE id = :id AND verified_at IS NULL')
  const reader = createOrderReader(db)
  const queries = createOrderQueries(db, reader)

  return {
    ...queries,
    ...createCartStore(db, reader),
    ...createPaymentRecords(db, { clock }),

    /** Keeps a new order. @returns it, or null when its number is taken */
    insert(tx: Transaction, { lines, ...facts }: NewOrder): Order | null {
      const { id } = freeId.get({ now: clock() })!
      const row = { ...facts, id, secret: newSecret(), changedAt: facts.placedAt }
      if (!insert(tx, row)) return null
      for (const line of lines) insertLine(tx, { ...line, order: id })
      return queries.findId(id)
    },

    /** Notes that an order comes from its address, or that staff answer for it. */
    verify: (tx: Transaction, { id }: Order): void =>
      void verify(tx, { verifiedAt: clock() }, { id }),

    /**
     * Changes an order if it is still as it was read (compare-and-swap by its sequence).
     * @returns the order as it is now, or null when another transaction changed it first
     */
    change(tx: Transaction, order: Order, to: OrderChange): Order | null {
      const changed = change(
        tx,
        { ...order, ...to, sequence: order.sequence + 1, changedAt: clock() },
        { id: order.id, was: order.sequence },
      )
      return changed === 1 ? queries.findId(order.id) : null
    },
  }
}

/** Prepares the statements of what a cart has become: its orders, and which took the place of which. */
function createCartStore(db: Database, { select }: OrderReader) {
  const insert = cartOrders.insert(db)
  const ofSubmission = query(
    db,
    `SELECT "order", content_hash AS contentHash FROM cart_orders JOIN orders ON id = "order"
     WHERE cart = :cart AND key = :key`,
    { order: cartOrders.shape.order, contentHash: orders.shape.contentHash },
  )
  const cartOf = cartOrders.select(db, 'WHERE "order" = :id')
  const ofCart = 'id IN (SELECT "order" FROM cart_orders WHERE cart = :cart)'
  const unpaid = select(
    `WHERE state IN ('pending', 'expired') AND payment = 'stripe' AND paid_at IS NULL
     AND replaced_by IS NULL AND ${ofCart} ORDER BY id`,
  )
  const latest = select(
    `WHERE state NOT IN ('pending', 'expired', 'cancelled') AND ${ofCart}
     ORDER BY id DESC LIMIT 1`,
  )
  const replace = db.prepareWrite(
    `UPDATE orders SET replaced_by = CASE id WHEN :by THEN NULL ELSE :by END
     WHERE id IN (:was, :by) OR replaced_by = :was`,
  )

  return {
    /** The order that a submission of a cart became before, with what makes it the same one. */
    ofSubmission: ({ cart, key }: Submission) => ofSubmission.get({ cart, key }),
    /** Notes which order a submission of a cart became. */
    submitted: (tx: Transaction, { id }: Order, { cart, key }: Submission): void =>
      void insert(tx, { cart, key, order: id }),
    /** The orders of a cart that wait for their payment, or did in vain, and that none replaced. */
    unpaidOf: (cart: number): Order[] => unpaid.all({ cart }),
    /** The order that a cart became last, as long as it stands or was paid. */
    latestOf: (cart: number): Order | null => latest.get({ cart }),
    /** Notes that an order stands in place of another one, and of all that this one stood for. */
    replace: (tx: Transaction, was: Order, by: Order): void =>
      void replace.run(tx, { was: was.id, by: by.id }),
    /** The cart that an order was placed from. */
    cartOf: (id: number): number | null => cartOf.get({ id })?.cart ?? null,
  }
}
