import { hash } from 'node:crypto'
import { addDays, dateAt, dayEnd, type CivilDate } from '#shared/dates/civil-dates.ts'
import { giftCardCode } from '#shared/shop/discounts.ts'
import { dayMs } from '#shared/dates/durations.ts'
import { failure } from '#shared/failures.ts'
import { createAddresses } from '../../db/addresses.ts'
import type { Transaction } from '../../db/group-commit.ts'
import { batchSize } from '../../db/in-batches.ts'
import type { Database } from '../../db/open.ts'
import { integer, query } from '../../db/table.ts'
import { newReference, normalReference, randomId, readable } from '../../secrets/ids.ts'
import {
  giftCardMoney,
  giftCards,
  giftCardUses,
  type GiftCard,
  type GiftCardUse,
} from '../schema.ts'

/** A gift card that a cart has: what is on it for that cart, or why it can't be used. */
export type OfferedCard = {
  readonly id: number
  readonly number: string
  readonly balance: number
  readonly problem: string | null
}

/** Gift cards, what was paid for them, and what they pay; the only place with their SQL. */
export type GiftCardStore = ReturnType<typeof createGiftCardStore>

/** What staff say of a new card. Cents; milliseconds. */
export type NewGiftCard = Pick<GiftCard, 'value' | 'name' | 'email' | 'note' | 'expiresAt'>

/** Days that a card works at least once money is back on it, so that none comes back in vain. */
export const daysAfterRefund = 30
/** Days after which it is forgotten for whom a card was that is over. */
export const nameDays = 90
/**
 * Calendar years after the last one in which something happened: vouchers are kept for six years from
 * the end of the year in which their fiscal year ends, which may be the next one.
 */
export const cardYears = 8

const hashOf = (code: string) => hash('sha256', code, 'base64url')

/** Prepares the statements of gift cards. */
export function createGiftCardStore(db: Database, { clock }: { clock: () => number }) {
  const insert = giftCards.insert(db, 'ON CONFLICT DO NOTHING')
  const byId = giftCards.select(db, 'WHERE id = :id')
  const byNumber = giftCards.select(db, 'WHERE number = :number')
  const byHash = giftCards.select(db, 'WHERE hash = :hash')
  const list = giftCards.select(db, 'ORDER BY id')
  const ofEmail = giftCards.select(db, 'WHERE email = :email COLLATE NOCASE ORDER BY id')
  const mentioning = giftCards.select(db, 'WHERE mentions(note, :email) ORDER BY id')
  const end = giftCards.update(db, ['endedAt'], 'WHERE id = :id AND ended_at IS NULL')
  const setHash = giftCards.update(db, ['hash'], 'WHERE id = :id')
  const insertMoney = giftCardMoney.insert(db)
  const moneyOn = giftCardMoney.select(
    db,
    'WHERE paid_on BETWEEN :from AND :to ORDER BY paid_on, id',
  )
  const insertUse = giftCardUses.insert(db)
  const usesOf = giftCardUses.select(db, 'WHERE card = :card ORDER BY id')
  const allUses = giftCardUses.select(db, 'WHERE "order" IS NOT NULL ORDER BY id')
  const useOf = giftCardUses.select(db, 'WHERE "order" = :order')
  const settle = giftCardUses.update(db, ['cart'], 'WHERE "order" = :order')
  const setBack = giftCardUses.update(db, ['back', 'backAt'], 'WHERE id = :id')
  const takeFrom = db.prepareWrite(
    `UPDATE gift_cards SET balance = balance - :amount
     WHERE id = :id AND balance >= :amount AND ended_at IS NULL
       AND (expires_at IS NULL OR expires_at > :now)`,
  )
  const payBack = db.prepareWrite('UPDATE gift_cards SET balance = 0 WHERE id = :id')
  const putOn = db.prepareWrite(
    `UPDATE gift_cards SET balance = balance + :amount, expires_at = max(expires_at, :until)
     WHERE id = :id`,
  )
  const heldFor = query(
    db,
    `SELECT coalesce(sum(amount - back), 0) AS cents FROM gift_card_uses
     WHERE card = :card AND cart = :cart`,
    { cents: integer() },
  )
  const wrong = giftCards.select(
    db,
    `WHERE balance <> (SELECT coalesce(sum(amount), 0) FROM gift_card_money WHERE card = gift_cards.id)
       - (SELECT coalesce(sum(amount - back), 0) FROM gift_card_uses WHERE card = gift_cards.id)`,
  )
  const isOver = '(ended_at IS NOT NULL OR expires_at <= :now OR balance = 0)'
  const lastAt = `max(made_at, coalesce(ended_at, 0), coalesce((SELECT max(max(used_at, coalesce(back_at, 0)))
    FROM gift_card_uses WHERE card = gift_cards.id), 0))`
  const forgetNames = db.prepareWrite(
    `UPDATE gift_cards SET name = NULL, email = NULL WHERE id IN (SELECT id FROM gift_cards
       WHERE (name IS NOT NULL OR email IS NOT NULL) AND ${isOver}
         AND max(${lastAt}, CASE WHEN expires_at <= :now THEN expires_at ELSE 0 END) < :before
       LIMIT ${batchSize})`,
  )
  const forgetCards = db.prepareWrite(
    `DELETE FROM gift_cards WHERE id IN (SELECT id FROM gift_cards WHERE ${isOver}
       AND CAST(strftime('%Y', max(${lastAt}, coalesce(expires_at, 0)) / 1000, 'unixepoch') AS INTEGER)
         <= :year
       LIMIT ${batchSize})`,
  )
  const eraseNames = db.prepareWrite(
    'UPDATE gift_cards SET name = NULL, email = NULL WHERE email = ? COLLATE NOCASE',
  )
  const redactNotes = db.prepareWrite(
    'UPDATE gift_cards SET note = without_mentions(note, :email) WHERE mentions(note, :email)',
  )

  /** Why a card can't be used now, whatever is on it; null where it can. */
  const problemOf = ({ endedAt, expiresAt }: GiftCard): string | null => {
    if (endedAt !== null) return 'This gift card isn’t valid any more.'
    return expiresAt !== null && expiresAt <= clock() ? 'This gift card has expired.' : null
  }

  /** Puts money back on a card; it works for a while longer then. */
  const put = (tx: Transaction, use: GiftCardUse, amount: number): void => {
    if (amount === 0) return
    const now = clock()
    putOn.run(tx, { id: use.card, amount, until: dayEnd(addDays(dateAt(now), daysAfterRefund)) })
    setBack(tx, { back: use.back + amount, backAt: now }, { id: use.id })
  }

  return {
    /** The card of a number, or of a code; null for none. */
    find: (typed: string): GiftCard | null => {
      const code = giftCardCode(typed)
      return (
        byNumber.get({ number: normalReference(typed) }) ??
        (code === null ? null : byHash.get({ hash: hashOf(code) }))
      )
    },
    /** The card of a code as a visitor types it; null for none. A number isn't a code. */
    ofCode(typed: string): GiftCard | null {
      const code = giftCardCode(typed)
      return code === null ? null : byHash.get({ hash: hashOf(code) })
    },
    list: (): GiftCard[] => list.all(),
    ofEmail: (email: string): GiftCard[] => ofEmail.all({ email }),
    addresses: createAddresses(db, 'gift_cards'),
    /** Cards whose notes name an email address, such as that of who paid. */
    mentioning: (email: string): GiftCard[] => mentioning.all({ email }),
    usesOf: ({ id }: GiftCard): GiftCardUse[] => usesOf.all({ card: id }),
    problemOf,

    /** Makes a card that was paid for today. @returns it with its code, which no one can tell again */
    make(tx: Transaction, card: NewGiftCard): { card: GiftCard; code: string } {
      for (;;) {
        const code = randomId(16, readable)
        const { value } = card
        const row = { ...card, number: newReference('G'), hash: hashOf(code), balance: value }
        const made = insert(tx, { ...row, madeAt: clock() })
        if (!made) continue
        insertMoney(tx, { card: made.id, amount: value, paidOn: dateAt(clock()) })
        return { card: byId.get({ id: made.id })!, code }
      }
    },
    /** Gives a card another code; the one before pays nothing any more. */
    recode(tx: Transaction, { id }: GiftCard): string {
      const code = randomId(16, readable)
      setHash(tx, { hash: hashOf(code) }, { id })
      return code
    },
    /** Ends a card. @returns false when it had ended before */
    end: (tx: Transaction, { id }: GiftCard): boolean => end(tx, { endedAt: clock() }, { id }) > 0,
    /** Notes that what is on a card was paid back to its holder. @returns cents */
    payBack(tx: Transaction, { id, balance }: GiftCard): number {
      if (balance === 0) return 0
      payBack.run(tx, { id })
      insertMoney(tx, { card: id, amount: -balance, paidOn: dateAt(clock()) })
      return balance
    },

    /** A card as a cart has it. What an order of the same cart holds that isn't paid counts for it. */
    offered(id: number, cart: number | null): OfferedCard | null {
      const card = byId.get({ id })
      if (!card) return null
      const held = cart === null ? 0 : heldFor.get({ card: id, cart })!.cents
      const balance = card.balance + held
      const empty = balance === 0 ? 'There’s nothing left on this gift card.' : null
      return { id, number: card.number, balance, problem: problemOf(card) ?? empty }
    },

    /**
     * Takes what a card pays of an order, in the transaction that places it.
     * @throws price when it isn't there any more
     */
    take(
      tx: Transaction,
      { card, ...use }: { card: number; order: number; cart: number | null; amount: number },
    ): void {
      const now = clock()
      if (takeFrom.run(tx, { id: card, amount: use.amount, now }).changes !== 1) {
        throw failure('price', {
          message: 'What’s left on your gift card has changed. Please check your order again.',
        })
      }
      insertUse(tx, { card, ...use, usedAt: now })
    },
    /** Lets the use of an order stand by itself: its cart is for other orders now. */
    settle: (tx: Transaction, order: number): void => void settle(tx, { cart: null }, { order }),
    /** Puts back what is still taken for an order that ended unpaid. */
    release(tx: Transaction, order: number): void {
      const use = useOf.get({ order })
      if (use) put(tx, use, use.amount - use.back)
    },
    /** Puts a part of what a card paid for an order back. @throws by the database for more than it paid */
    giveBack(tx: Transaction, order: number, amount: number): void {
      const use = useOf.get({ order })
      if (!use) throw new Error(`No gift card paid for order ${order}.`)
      put(tx, use, amount)
    },
    /**
     * Whether what was put back can be taken once more for an order, which is paid or let on after all.
     * @param instead an order that gives its own part back first
     */
    canAgain(order: number, instead: number | null): boolean {
      const use = useOf.get({ order })
      if (!use || use.back === 0) return true
      const card = byId.get({ id: use.card })!
      const other = instead === null ? null : useOf.get({ order: instead })
      const freed = other?.card === use.card ? other.amount - other.back : 0
      return problemOf(card) === null && card.balance + freed >= use.back
    },
    /** Takes it once more. Ask {@link canAgain} before. @throws price */
    again(tx: Transaction, order: number): void {
      const use = useOf.get({ order })
      if (!use || use.back === 0) return
      const { changes } = takeFrom.run(tx, { id: use.card, amount: use.back, now: clock() })
      if (changes !== 1) throw failure('price', { message: 'The gift card has too little on it.' })
      setBack(tx, { back: 0, backAt: null }, { id: use.id })
    },

    /** What cards were sold for, and paid back, on some days, both inclusive. */
    moneyOn: (from: CivilDate, to: CivilDate) =>
      moneyOn.all({ from, to }).map(({ card, amount, paidOn }) => ({
        amount,
        paidOn,
        card: byId.get({ id: card })!,
      })),
    /** What cards pay of orders that are known. */
    uses: (): GiftCardUse[] => allUses.all(),
    /** Cards whose balance isn't what their money and their uses make; there are none. */
    wrong: (): GiftCard[] => wrong.all(),

    /** Forgets a batch of names of cards that are over. @returns how many */
    forgetNames: (tx: Transaction): number =>
      forgetNames.run(tx, { now: clock(), before: clock() - nameDays * dayMs }).changes,
    /** Forgets a batch of cards whose vouchers need not be kept any more. @returns how many */
    forget: (tx: Transaction): number =>
      forgetCards.run(tx, {
        now: clock(),
        year: Number(dateAt(clock()).slice(0, 4)) - cardYears,
      }).changes,
    /** Erases for whom cards are. @returns how many */
    eraseNames: (tx: Transaction, email: string): number => eraseNames.run(tx, email).changes,
    /** Takes an address out of the notes of cards. Call inside a transaction. @returns how many had it */
    redactNotes: (tx: Transaction, email: string): number => redactNotes.run(tx, { email }).changes,
  }
}
