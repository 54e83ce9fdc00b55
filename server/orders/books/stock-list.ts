import { addDays, dateAt, daysBetween, type CivilDate } from '#shared/dates/civil-dates.ts'
import type { Transaction } from '../../db/group-commit.ts'
import type { Database } from '../../db/open.ts'
import type { ShopFeature } from '../../shop/feature.ts'
import { stockLists } from '../schema.ts'
import { fiscalYearEndOf, type BooksSettings } from './settings.ts'

/** Goods in the house: what no one has ordered, and what is ordered and not sent. */
export type StockRow = {
  readonly handle: string
  readonly variant: string
  readonly title: string
  readonly shelf: number
  readonly ordered: number
  /** Both together, as they are counted. */
  readonly pieces: number
  /** Sale price of one, including VAT, in cents. */
  readonly price: number | null
}

/** Days after the end of a fiscal year in which its list may still be taken, such as after a long outage. */
const latestDays = 7

/** Lists of the stock for the year-end accounts (Accounting Act 4:4 and 5:6). */
export type StockLists = ReturnType<typeof createStockLists>

/** Prepares the statements of the lists; the only place with their SQL. */
export function createStockLists(
  db: Database,
  {
    clock,
    catalogue,
    settings,
    unsent,
  }: {
    clock: () => number
    catalogue: Pick<ShopFeature['catalogue'], 'list'>
    settings: () => BooksSettings
    /** What still has to be sent of the orders that hold pieces. */
    unsent: () => Iterable<{ variantId: number | null; quantity: number }>
  },
) {
  const insert = stockLists.insert(db)
  const ofDay = stockLists.select(db, 'WHERE day = :day ORDER BY handle, variant')

  /** The stock as it is. Goods that are made to order have none. */
  const now = (): StockRow[] => {
    const ordered = new Map<number, number>()
    for (const { variantId, quantity } of unsent()) {
      if (variantId !== null) ordered.set(variantId, (ordered.get(variantId) ?? 0) + quantity)
    }
    return catalogue
      .list()
      .filter(({ kind, madeToOrder }) => kind === 'physical' && !madeToOrder)
      .flatMap(({ handle, title, variants }) =>
        variants.flatMap(({ id, variant, title: name, stock, price }) => {
          if (stock === null) return []
          const reserved = ordered.get(id) ?? 0
          return [
            {
              handle,
              variant,
              title: `${title}, ${name}`,
              shelf: stock,
              ordered: reserved,
              pieces: stock + reserved,
              price: price?.price ?? null,
            },
          ]
        }),
      )
      .toSorted((a, b) => (`${a.handle} ${a.variant}` < `${b.handle} ${b.variant}` ? -1 : 1))
  }

  /** The end of the fiscal year that was over last. */
  const lastEnd = (): CivilDate => {
    const today = dateAt(clock())
    const end = fiscalYearEndOf(settings(), today)
    return fiscalYearEndOf(settings(), addDays(`${Number(end.slice(0, 4)) - 1}${end.slice(4)}`, -7))
  }

  return {
    now,
    lastEnd,
    /** The list that was kept at the end of a fiscal year; empty where none was. */
    of: (day: CivilDate): StockRow[] =>
      ofDay.all({ day }).map(({ handle, variant, title, shelf, ordered, price }) => ({
        handle,
        variant,
        title,
        shelf,
        ordered,
        pieces: shelf + ordered,
        price,
      })),
    /** Keeps the list of a fiscal year that has just ended, once. Call inside a transaction. */
    keep(tx: Transaction): boolean {
      const day = lastEnd()
      if (daysBetween(day, dateAt(clock())) > latestDays || ofDay.get({ day }) !== null)
        return false
      for (const { pieces: _, ...row } of now()) insert(tx, { ...row, day, takenAt: clock() })
      return true
    },
  }
}
