import Database from 'better-sqlite3'

/** A row, whatever columns the version that wrote it has. */
type Row = Record<string, string | number | null>

/** A card as far as it's compared. */
type Card = { id: number; number: string; hash: string; balance: number; ended_at: number | null }

/** A part of a card that an order took; cents. */
type Use = { amount: number; back: number; used_at: number; back_at: number | null }

/**
 * Brings gift cards of a database file up to what their holders know from the states before it: cards that
 * were sold since the backup, codes that replaced others, cards that ended, and what was spent. What went
 * back onto a card for an order of the backup does so again when that order is dealt with again; what a
 * checkout had only set aside isn't taken.
 * @param states the files of the replaced state, and of those that restores replaced before it, the
 *   present one first
 * @param restored the file that takes their place; no process uses any of them
 * @param since when the backup was made, in milliseconds of the epoch
 * @returns numbers of cards from which more was spent than the backup has on them; they stay as they are
 *   there. Null where the cards could not be brought up to date.
 */
export function keepGiftCards(
  states: readonly { readonly file: string }[],
  restored: string,
  since: number,
): string[] | null {
  const short: string[] = []
  let hasFailed = false
  for (const { file } of states.toReversed()) {
    let from: Database.Database
    try {
      from = new Database(file, { readonly: true, fileMustExist: true })
      if (!hasCards(from)) {
        from.close()
        continue
      }
    } catch {
      // There is no state to ask, or it's damaged.
      continue
    }
    try {
      const to = new Database(restored, { fileMustExist: true })
      try {
        to.transaction(() => short.push(...bringUp(from, to, since)))()
      } finally {
        to.close()
      }
    } catch {
      hasFailed = true
    } finally {
      from.close()
    }
  }
  return hasFailed ? null : [...new Set(short)]
}

const hasCards = (db: Database.Database): boolean =>
  db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'gift_cards'").get() !==
  undefined

function bringUp(from: Database.Database, to: Database.Database, since: number): string[] {
  const cards = from.prepare('SELECT * FROM gift_cards ORDER BY id').all() as (Card & Row)[]
  const moneyIn = (db: Database.Database, card: number) =>
    db
      .prepare('SELECT amount, paid_on FROM gift_card_money WHERE card = ? ORDER BY id')
      .all(card) as { amount: number; paid_on: string }[]
  // An order without its row was carried by an earlier restore, or is forgotten.
  const usesOf = from.prepare(`SELECT amount, back, used_at, back_at FROM gift_card_uses
    LEFT JOIN orders ON orders.id = gift_card_uses."order"
    WHERE card = ? AND used_at > ?
      AND (orders.id IS NULL OR state IN ('open', 'paid', 'shipped', 'attention', 'refunded'))
    ORDER BY gift_card_uses.id`)
  const known = to.prepare('SELECT * FROM gift_cards WHERE number = ?')
  const hasUse = to.prepare(
    'SELECT 1 FROM gift_card_uses WHERE card = ? AND used_at = ? AND amount = ?',
  )
  const addMoney = to.prepare(
    'INSERT INTO gift_card_money (card, amount, paid_on) VALUES (?, ?, ?)',
  )
  const addUse = to.prepare(`INSERT INTO gift_card_uses (card, amount, back, used_at, back_at)
    VALUES (?, ?, ?, ?, ?)`)
  const change = to.prepare(
    'UPDATE gift_cards SET hash = ?, ended_at = coalesce(ended_at, ?), balance = ? WHERE id = ?',
  )
  const columns = (to.pragma('table_info(gift_cards)') as { name: string }[])
    .map(({ name }) => name)
    .filter((name) => name !== 'id')
  const add = to.prepare(`INSERT INTO gift_cards (${columns.join(', ')})
    VALUES (${columns.map((name) => `:${name}`).join(', ')})`)
  const empty = Object.fromEntries(columns.map((name) => [name, null]))

  return cards.flatMap(({ id, ...card }) => {
    let own = known.get(card.number) as Card | undefined
    if (!own) {
      // The backup had forgotten it, or it was erased there.
      if (Number(card.made_at) <= since) return []
      add.run({ ...empty, ...card, balance: 0 })
      own = known.get(card.number) as Card
    }
    const { id: into, balance } = own
    const money = moneyIn(from, id).slice(moneyIn(to, into).length)
    const uses = (usesOf.all(id, since) as Use[]).filter(
      ({ used_at: at, amount }) => !hasUse.get(into, at, amount),
    )
    const rest =
      balance +
      money.reduce((sum, { amount }) => sum + amount, 0) -
      uses.reduce((sum, { amount, back }) => sum + amount - back, 0)
    const isShort = rest < 0
    change.run(card.hash, card.ended_at, isShort ? balance : rest, into)
    if (isShort) return [card.number]
    for (const { amount, paid_on: day } of money) addMoney.run(into, amount, day)
    for (const use of uses) addUse.run(into, use.amount, use.back, use.used_at, use.back_at)
    return []
  })
}
