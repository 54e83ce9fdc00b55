import { hash } from 'node:crypto'
import { dayMs } from '#shared/durations.ts'
import { shopLimits } from '#shared/shop-limits.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'
import { anyAlphabet, randomId } from '../ids.ts'

/** What is in a cart: a variant, how often, and the price that was shown last. */
export type CartEntry = { variant: number; quantity: number; seenPrice: number }

/** The carts; the only place with their SQL. */
export type Carts = ReturnType<typeof createCarts>

/** Prepares the statements of the carts. A cart is found by its cookie, of which only a hash is kept. */
export function createCarts(db: Database, { clock }: { clock: () => number }) {
  const find = db
    .prepare('SELECT id FROM carts WHERE token_hash = :hash AND changed_at > :since')
    .pluck()
  const insert = db
    .prepareWrite('INSERT INTO carts (token_hash, changed_at) VALUES (:hash, :now) RETURNING id')
    .pluck()
  const touch = db.prepareWrite('UPDATE carts SET changed_at = :now WHERE id = :id')
  const lines = db.prepare(
    `SELECT variant, quantity, seen_price AS seenPrice FROM cart_lines
     WHERE cart = ? ORDER BY id`,
  )
  const set = db.prepareWrite(
    `INSERT INTO cart_lines (cart, variant, quantity, seen_price)
     VALUES (:cart, :variant, :quantity, :price)
     ON CONFLICT DO UPDATE SET quantity = :quantity, seen_price = :price`,
  )
  const see = db.prepareWrite(
    'UPDATE cart_lines SET seen_price = :price WHERE cart = :cart AND variant = :variant',
  )
  const drop = db.prepareWrite('DELETE FROM cart_lines WHERE cart = :cart AND variant = :variant')
  const empty = db.prepareWrite('DELETE FROM cart_lines WHERE cart = ?')
  const forget = db.prepareWrite(
    'DELETE FROM carts WHERE id IN (SELECT id FROM carts WHERE changed_at <= :since LIMIT 500)',
  )
  const since = () => clock() - shopLimits.cartDays * dayMs
  const hashOf = (token: string) => hash('sha256', token, 'base64url')

  return {
    /** The cart of a cookie; null for none, one that was never handed out, or one that is too old. */
    find(token: unknown): number | null {
      if (typeof token !== 'string' || !/^[A-Za-z0-9]{22}$/.test(token)) return null
      return (find.get({ hash: hashOf(token), since: since() }) as number | undefined) ?? null
    },

    /** Makes a cart. @returns it with its cookie, which cannot be guessed */
    make(tx: Transaction): { id: number; token: string } {
      const token = randomId(22, anyAlphabet)
      return { id: insert.get(tx, { hash: hashOf(token), now: clock() }) as number, token }
    },

    entries: (cart: number) => lines.all(cart) as CartEntry[],

    /** Sets a line; 0 takes it away. @param price that is shown with it */
    set(tx: Transaction, cart: number, variant: number, quantity: number, price: number): void {
      if (quantity === 0) drop.run(tx, { cart, variant })
      else set.run(tx, { cart, variant, quantity, price })
      touch.run(tx, { id: cart, now: clock() })
    },

    /** Remembers the price that was shown. */
    see: (tx: Transaction, cart: number, variant: number, price: number) =>
      void see.run(tx, { cart, variant, price }),
    /** Takes a line away whose variant cannot be bought any more. */
    drop: (tx: Transaction, cart: number, variant: number) => void drop.run(tx, { cart, variant }),
    empty: (tx: Transaction, cart: number) => void empty.run(tx, cart),
    /** Forgets a batch of carts whose time is over. @returns how many */
    forget: (tx: Transaction): number => forget.run(tx, { since: since() }).changes,
  }
}
