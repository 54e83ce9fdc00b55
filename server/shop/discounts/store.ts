import { failure } from '#shared/failures.ts'
import { normalCode, unknownCode } from '#shared/shop/discounts.ts'
import type { Transaction } from '../../db/group-commit.ts'
import { batchSize } from '../../db/in-batches.ts'
import type { Database } from '../../db/open.ts'
import { integer, query } from '../../db/table.ts'
import { discounts, discountUses, type Discount, type NewDiscount } from '../schema.ts'

/** A code that a cart has: its rule, or why it can't be used at all. */
export type OfferedDiscount = {
  readonly code: string
  readonly discount: Discount | null
  readonly problem: string | null
}

/** Discount codes and their uses; the only place with their SQL. */
export type DiscountStore = ReturnType<typeof createDiscountStore>

/** What is said once as many have used a code as may. */
const usedUp = 'This code has been used up.'

/** Prepares the statements of discount codes. */
export function createDiscountStore(db: Database, { clock }: { clock: () => number }) {
  const insert = discounts.insert(db, 'ON CONFLICT (code) DO NOTHING')
  const byCode = discounts.select(db, 'WHERE code = :code')
  const list = discounts.select(db, 'ORDER BY id')
  const end = discounts.update(db, ['endedAt'], 'WHERE id = :id AND ended_at IS NULL')
  const insertUse = discountUses.insert(db)
  const usesOf = discountUses.select(db, 'WHERE discount = :discount ORDER BY id')
  const used = query(
    db,
    `SELECT count(*) AS count FROM discount_uses
     WHERE discount = :discount AND given_back_at IS NULL AND cart IS NOT :cart`,
    { count: integer() },
  )
  const usedBy = query(
    db,
    `SELECT count(*) AS count FROM discount_uses
     WHERE discount = :discount AND given_back_at IS NULL AND mailbox = :mailbox`,
    { count: integer() },
  )
  const giveBack = discountUses.update(
    db,
    ['givenBackAt'],
    'WHERE "order" = :order AND given_back_at IS NULL',
  )
  const again = discountUses.update(db, ['givenBackAt'], 'WHERE "order" = :order')
  const settle = discountUses.update(db, ['cart'], 'WHERE "order" = :order')
  // A code that is over can’t be used again, so the limit per mailbox needs no mailboxes.
  const forgetMailboxes = db.prepareWrite(
    `UPDATE discount_uses SET mailbox = NULL WHERE id IN (
       SELECT uses.id FROM discount_uses AS uses JOIN discounts ON discounts.id = discount
       WHERE mailbox IS NOT NULL AND (ended_at < :now OR until_at < :now) LIMIT ${batchSize})`,
  )

  /** Uses that count. @param cart whose own order waits for its payment and is left out */
  const count = (discount: number, cart: number | null = null): number =>
    // Orders that are settled have no cart, and always count.
    used.get({ discount, cart: cart ?? -1 })!.count

  /** Why a code can't be used now, whatever is bought; null where it can. */
  const problemOf = (discount: Discount | null, cart: number | null): string | null => {
    const now = clock()
    if (!discount) return unknownCode
    const { endedAt, untilAt, fromAt, maxUses, id } = discount
    if (endedAt !== null || (untilAt !== null && untilAt <= now)) return 'This code has expired.'
    if (fromAt > now) return 'This code isn’t valid yet.'
    return maxUses !== null && count(id, cart) >= maxUses ? usedUp : null
  }

  return {
    find: (typed: string): Discount | null => byCode.get({ code: normalCode(typed) }),
    list: (): Discount[] => list.all(),
    /** Keeps a code. @returns null when there is one of the name */
    insert: (tx: Transaction, discount: NewDiscount): Discount | null =>
      insert(tx, { ...discount, madeAt: clock() }),
    /** Ends a code. @returns false when it had ended before */
    end: (tx: Transaction, { id }: Discount): boolean => end(tx, { endedAt: clock() }, { id }) > 0,
    usesOf: ({ id }: Discount) => usesOf.all({ discount: id }),
    /** Uses that count, those of orders on their way among them. */
    count: ({ id }: Discount): number => count(id),

    /** What a code comes to for a cart. */
    offered(typed: string, cart: number | null): OfferedDiscount {
      const code = normalCode(typed)
      const discount = byCode.get({ code })
      return { code, discount, problem: problemOf(discount, cart) }
    },

    /**
     * Counts the use of a code, in the transaction that places its order.
     * @param use `cart` where it may be placed again until it is paid
     * @throws price once it is used up; invalid for a mailbox that has used it as often as it may
     */
    take(
      tx: Transaction,
      { id, maxUses, maxUsesEach }: Discount,
      use: { order: number; cart: number | null; mailbox: string },
    ): void {
      if (maxUses !== null && count(id) >= maxUses) throw failure('price', { message: usedUp })
      const { mailbox } = use
      if (maxUsesEach !== null && usedBy.get({ discount: id, mailbox })!.count >= maxUsesEach) {
        throw failure('invalid', {
          errors: {
            discount:
              'This code has already been used with your email address. Take it off to order without it.',
          },
        })
      }
      insertUse(tx, { ...use, discount: id, usedAt: clock() })
    },
    /** Lets the use of an order count for good: its cart is for other orders now. */
    settle: (tx: Transaction, order: number): void => void settle(tx, { cart: null }, { order }),
    /** Gives the use of an order back that ended unpaid. */
    giveBack: (tx: Transaction, order: number): void =>
      void giveBack(tx, { givenBackAt: clock() }, { order }),
    /** Counts it once more, for an order that is paid or let on after all. */
    again: (tx: Transaction, order: number): void =>
      void again(tx, { givenBackAt: null }, { order }),

    /** Forgets a batch of mailboxes that used codes which are over. @returns how many */
    forgetMailboxes: (tx: Transaction): number => forgetMailboxes.run(tx, { now: clock() }).changes,
  }
}
