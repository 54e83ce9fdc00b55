import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'
import type { OrderReader } from './order-queries.ts'
import type { Order } from './order.ts'

/** Its keys begin with the cart's number and a slash; `0` comes right after the slash. */
const keysOf = (cart: number) => ({ from: `${cart}/`, before: `${cart}0` })

/** Prepares the statements of what a cart has become: its orders, and which took the place of which. */
export function createCartOrders(db: Database, { select, whole, wholeOrNull }: OrderReader) {
  const byKey = db.prepare('SELECT id, content_hash AS contentHash FROM orders WHERE cart_key = ?')
  const unpaid = select(
    `state IN ('pending', 'expired') AND payment = 'stripe' AND paid_at IS NULL
     AND replaced_by IS NULL AND cart_key >= :from AND cart_key < :before ORDER BY id`,
  )
  const latest = select(
    `state NOT IN ('pending', 'expired', 'cancelled') AND cart_key >= :from AND cart_key < :before
     ORDER BY id DESC LIMIT 1`,
  )
  const replace = db.prepareWrite(
    `UPDATE orders SET replaced_by = CASE id WHEN :by THEN NULL ELSE :by END
     WHERE id IN (:was, :by) OR replaced_by = :was`,
  )
  const keyOf = db.prepare('SELECT cart_key FROM orders WHERE id = ?').pluck()

  return {
    /** The order that the key of a cart stands for. */
    ofKey: (key: string) =>
      (byKey.get(key) as { id: number; contentHash: string } | undefined) ?? null,
    /** The orders of a cart that wait for their payment, or did in vain, and that none replaced. */
    unpaidOf: (cart: number): Order[] => unpaid.all(keysOf(cart)).map(whole),
    /** The order that a cart became last, as long as it stands or was paid. */
    latestOf: (cart: number): Order | null => wholeOrNull(latest.get(keysOf(cart))),
    /** Notes that an order stands in place of another one, and of all that this one stood for. */
    replace: (tx: Transaction, was: Order, by: Order): void =>
      void replace.run(tx, { was: was.id, by: by.id }),
    /** The cart that an order was placed from. */
    cartOf: (id: number): number | null =>
      Number((keyOf.get(id) as string | null)?.split('/', 1)[0]) || null,
  }
}
