import { join } from 'node:path'
import { dateAt, type CivilDate } from '#shared/dates/civil-dates.ts'
import { failure } from '#shared/failures.ts'
import { sum } from '#shared/money.ts'
import { createLastGoodFile, readSettings } from '../../content/files/last-good-file.ts'
import type { Platform } from '../../feature.ts'
import { bookAmounts, bookColumns, bookRows } from '../documents/bookkeeping.ts'
import type { Invoices } from '../documents/invoices.ts'
import type { Payouts } from '../payment/payouts.ts'
import type { OrderStore } from '../store.ts'
import { euSalesList, ossReport, ossThreshold, ossYear, vatReturn } from './boxes.ts'
import { daysOf, ledger, type Days, type LedgerDeps, type LedgerRow } from './ledger.ts'
import { booksFile, booksSchema, defaultBooks, type BooksSettings } from './settings.ts'
import type { StockLists } from './stock-list.ts'

/** The columns of the ledger, as files have them. */
const ledgerColumns = [
  'date',
  'kind',
  'document',
  'order',
  'buyer',
  'country',
  'vatId',
  'supply',
  'ground',
  'rate',
  'account',
  'contra',
  'vatAccount',
  'box',
  'ossCountry',
  'net',
  'vat',
  'gross',
  'payment',
  'reference',
  'refersTo',
  'supplied',
] as const satisfies readonly (keyof LedgerRow)[]

/** Reads the settings of the books, and keeps the last good ones. */
export const createBooksSettings = ({ config, log }: Pick<Platform, 'config' | 'log'>) =>
  createLastGoodFile<BooksSettings>({
    file: join(config.contentDir, booksFile),
    dataDir: config.dataDir,
    missing: defaultBooks,
    read: (text) => readSettings(booksSchema, text),
    log,
  })

/** The quarter of a day, such as `2027-Q1`. */
const quarterOf = (day: CivilDate): string =>
  `${day.slice(0, 4)}-Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`

/** What the bookkeeper and the tax office are given. */
export type Books = ReturnType<typeof createBooks>

/** Creates the books, read from documents and payments. */
export function createBooks({
  stockLists,
  clock,
  ...deps
}: {
  orders: OrderStore
  invoices: Invoices
  payouts: Payouts
  giftCards: LedgerDeps['giftCards']
  settings: () => BooksSettings
  stockLists: StockLists
  clock: () => number
}) {
  const { invoices } = deps
  const documentsOf = ({ from, to }: Days) =>
    invoices.list(from, to).map(({ document }) => document)

  return {
    columns: bookColumns,
    amounts: bookAmounts,
    /** See {@link bookRows}. */
    rows: (range: Parameters<typeof bookRows>[1]) => bookRows(deps, range),

    ledgerColumns,
    /** The rows of some days, one per supply and rate, payment, fee and charge; amounts in cents. */
    ledger: (days: Days) => ledger(deps, days),
    /** The days of a month. @param month such as 2026-11 */
    daysOf,
    /** The boxes of the Finnish VAT return of a month that sales fill, in cents, and what other states get. */
    vatReturn(month: string) {
      const documents = documentsOf(daysOf(month))
      const elsewhere = ossReport(documents, () => null)
      return {
        month,
        boxes: vatReturn(documents),
        oneStopShop: {
          net: sum(elsewhere.map(({ net }) => net)),
          vat: sum(elsewhere.map(({ vat }) => vat)),
        },
      }
    },
    /** The recapitulative statement of a month, in cents. */
    euSalesList: (month: string) => euSalesList(documentsOf(daysOf(month))),

    /**
     * The stock: as it is, or as it was at the end of a fiscal year.
     * @throws missing for a day without a list
     */
    stockList(day: CivilDate | null) {
      if (day === null) return { day: dateAt(clock()), rows: stockLists.now() }
      const rows = stockLists.of(day)
      if (rows.length === 0) {
        throw failure('missing', {
          message: `No stock list for ${day}; the last fiscal year ended on ${stockLists.lastEnd()}.`,
        })
      }
      return { day, rows }
    },

    ossThreshold,
    /** See {@link ossYear}. */
    ossYear(year: number) {
      // It is asked for with every digest, and most of what is sold stays at home.
      const abroad = invoices.listAbroad(`${year}-01-01`, `${year}-12-31`)
      return ossYear(
        abroad.map(({ document }) => document),
        year,
      )
    },
    /** The One Stop Shop return of a quarter. @param quarter such as `2027-Q1` */
    ossReport(quarter: string) {
      const [year = '', number = ''] = quarter.split('-Q')
      const month = (count: number) =>
        `${year}-${String((Number(number) - 1) * 3 + count).padStart(2, '0')}`
      const { from } = daysOf(month(1))
      return ossReport(documentsOf({ from, to: daysOf(month(3)).to }), ({ refersTo }) => {
        const sold = refersTo === null ? null : invoices.find(refersTo)?.issuedOn
        return sold && sold < from ? quarterOf(sold) : null
      })
    },
  }
}
