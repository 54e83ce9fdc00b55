import { hash } from 'node:crypto'
import { dayMs } from '#shared/dates/durations.ts'
import { shopLimits } from '#shared/shop/limits.ts'
import type { Transaction } from '../../db/group-commit.ts'
import { batchSize } from '../../db/in-batches.ts'
import type { Database } from '../../db/open.ts'
import { newNumber } from '../../db/numbers.ts'
import { integer, query } from '../../db/table.ts'
import { anyAlphabet, randomId } from '../../secrets/ids.ts'
import { cartLines, carts, type CartLineRow } from '../schema.ts'

/** A cart entry: a variant, its quantity, and the price last shown. */
export type CartEntry = Pick<CartLineRow, 'variant' | 'quantity' | 'seenPrice'>

/** The carts; the only place with their SQL. */
export type Carts = ReturnType<typeof createCarts>

/** Prepares the statements of the carts. A cart is found by its cookie, of which only a hash is kept. */
export function createCarts(db: Database, { clock }: { clock: () => number }) {
  const find = carts.select(db, 'WHERE token_hash = :hash AND changed_at > :since')
  const freeId = query(db, `SELECT ${newNumber('carts')} AS id`, { id: integer() })
  const insert = carts.insert(db)
  const touch = carts.update(db, ['changedAt'], 'WHERE id = :id')
  const entries = cartLines.select(db, 'WHERE cart = :cart ORDER BY id')
  const set = cartLines.insert(
    db,
    'ON CONFLICT DO UPDATE SET quantity = excluded.quantity, seen_price = excluded.seen_price',
  )
  const see = cartLines.update(db, ['seenPrice'], 'WHERE cart = :cart AND variant = :variant')
  const drop = db.prepareWrite('DELETE FROM cart_lines WHERE cart = :cart AND variant = :variant')
  const empty = db.prepareWrite('DELETE FROM cart_lines WHERE cart = ?')
  const byId = carts.select(db, 'WHERE id = :id')
  const setDiscount = carts.update(db, ['discount', 'changedAt'], 'WHERE id = :id')
  const setGiftCard = carts.update(db, ['giftCard', 'changedAt'], 'WHERE id = :id')
  const forget = db.prepareWrite(`DELETE FROM carts WHERE id IN
    (SELECT id FROM carts WHERE changed_at <= :since LIMIT ${batchSize})`)
  const since = () => clock() - shopLimits.cartDays * dayMs
  const hashOf = (token: string) => hash('sha256', token, 'base64url')

  return {
    /** The cart of a cookie; null for none, an unknown one, or one that has expired. */
    find(token: unknown): number | null {
      if (typeof token !== 'string' || !/^[A-Za-z0-9]{22}$/.test(token)) return null
      return find.get({ hash: hashOf(token), since: since() })?.id ?? null
    },

    /** Creates a cart. @returns it with its unguessable cookie */
    make(tx: Transaction): { id: number; token: string } {
      const token = randomId(22, anyAlphabet)
      const now = clock()
      const { id } = freeId.get({ now })!
      insert(tx, { id, tokenHash: hashOf(token), changedAt: now })
      return { id, token }
    },

    /** The entries of a cart, in the order they were added. */
    entries: (cart: number): CartEntry[] => entries.all({ cart }),

    /** Sets a line; 0 takes it away. @param price that is shown with it */
    set(tx: Transaction, cart: number, variant: number, quantity: number, price: number): void {
      if (quantity === 0) drop.run(tx, { cart, variant })
      else set(tx, { cart, variant, quantity, seenPrice: price })
      touch(tx, { changedAt: clock() }, { id: cart })
    },

    /** Remembers the price that was shown. */
    see: (tx: Transaction, cart: number, variant: number, price: number) =>
      void see(tx, { seenPrice: price }, { cart, variant }),
    /** Removes a line whose variant is no longer sold. */
    drop: (tx: Transaction, cart: number, variant: number) => void drop.run(tx, { cart, variant }),
    /** Empties a cart, including its discount code and gift card. */
    empty(tx: Transaction, cart: number): void {
      empty.run(tx, cart)
      setDiscount(tx, { discount: null, changedAt: clock() }, { id: cart })
      setGiftCard(tx, { giftCard: null, changedAt: clock() }, { id: cart })
    },
    /** The discount code that was entered for a cart; null for none. */
    discountOf: (cart: number): string | null => byId.get({ id: cart })?.discount ?? null,
    /** Sets or removes the discount code, in its normal spelling. */
    setDiscount: (tx: Transaction, cart: number, discount: string | null): void =>
      void setDiscount(tx, { discount, changedAt: clock() }, { id: cart }),
    /** The gift card that was entered for a cart, by its row; null for none. */
    giftCardOf: (cart: number): number | null => byId.get({ id: cart })?.giftCard ?? null,
    /** Sets or removes the gift card. */
    setGiftCard: (tx: Transaction, cart: number, giftCard: number | null): void =>
      void setGiftCard(tx, { giftCard, changedAt: clock() }, { id: cart }),
    /** Deletes a batch of expired carts. @returns how many */
    forget: (tx: Transaction): number => forget.run(tx, { since: since() }).changes,
  }
}
