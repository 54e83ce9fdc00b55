import * as z from 'zod'
import { addDays, civilDate, type CivilDate } from '#shared/dates/civil-dates.ts'

/**
 * The settings of the books (docs/books.md): the schema of `books.json` in CONTENT_DIR, with the chart of
 * accounts, the end of the fiscal year, and what late payments cost. Staff edit that file while the
 * server runs.
 */

/** The name of the file. */
export const booksFile = 'books.json'

const account = z.string().regex(/^[0-9A-Za-z-]{1,12}$/, 'must be an account number, such as 3000')

/** The reference rate of a half-year that begins on a day. */
const referenceRate = z.strictObject({
  from: z
    .string()
    .refine(
      (text) => civilDate(text) !== null && /-(?:01|07)-01$/.test(text),
      'must be the first day of a half-year, such as 2026-07-01',
    ),
  percent: z.number().min(0).max(25).multipleOf(0.5),
})

/** The usual rows: Bank of Finland’s notices under section 12 a of the Interest Act. */
const defaultRates = [
  ['2016-07-01', 0],
  ['2023-01-01', 2.5],
  ['2023-07-01', 4],
  ['2024-01-01', 4.5],
  ['2025-01-01', 3.5],
  ['2025-07-01', 2.5],
  ['2026-01-01', 2.5],
] as const

/** The schema of the file. What is left out has the value given here. */
export const booksSchema = z.strictObject({
  /** What the file is, for its reader. */
  about: z.string().optional(),
  /** The last day of the fiscal year, MM-DD. */
  fiscalYearEnd: z
    .string()
    .regex(
      /^(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
      'must be a month and a day, such as 12-31',
    )
    .refine(
      (text) => text === '02-29' || civilDate(`2027-${text}`) !== null,
      'isn’t a day of the year',
    )
    .default('12-31'),
  /** The chart of accounts, by what is booked there. */
  accounts: z
    .strictObject({
      goods: account.default('3000'),
      files: account.default('3010'),
      services: account.default('3020'),
      receivables: account.default('1700'),
      bank: account.default('1910'),
      stripe: account.default('1920'),
      /** What gift cards still have to pay. */
      giftCards: account.default('2850'),
      vat: account.default('2939'),
      /** VAT of other states, through the One Stop Shop or registered there. */
      foreignVat: account.default('2941'),
      paymentFees: account.default('8560'),
      interest: account.default('9160'),
      reminders: account.default('3990'),
    })
    .prefault({}),
  /** What a late payment costs, and when buyers are asked for it. */
  late: z
    .strictObject({
      /** Days between the first reminder and the second. */
      secondAfter: z.int().min(14).max(90).default(14),
      /** Days between the second reminder and the list for a collection agency. */
      collectAfter: z.int().min(14).max(90).default(14),
      /** Whether the second reminder claims interest. */
      interest: z.boolean().default(true),
      /** The fee of a consumer’s second reminder in cents; the law’s limit is €5. */
      consumerFee: z.int().min(0).max(500).default(0),
      /** Whether companies owe the fixed compensation of €40. */
      businessCompensation: z.boolean().default(false),
    })
    .prefault({}),
  /** Reference rates of the Interest Act, by the half-year. */
  referenceRates: z
    .array(referenceRate)
    .min(1)
    .default(defaultRates.map(([from, percent]) => ({ from, percent }))),
})

/** The settings in force. */
export type BooksSettings = z.output<typeof booksSchema>

let usual: BooksSettings | undefined

/** The settings of a site without the file. */
export const defaultBooks = (): BooksSettings => (usual ??= booksSchema.parse({}))

/** The last day for which the table of reference rates has a row: a rate counts for half a year. */
export function ratesEnd({ referenceRates }: Pick<BooksSettings, 'referenceRates'>): CivilDate {
  const last = referenceRates
    .map(({ from }) => from)
    .toSorted()
    .at(-1)!
  const year = Number(last.slice(0, 4))
  return last.endsWith('-01-01') ? `${year}-06-30` : `${year}-12-31`
}

/** The reference rate of a day in per cent; null for days that the table doesn’t reach. */
export function referenceRateOn(
  settings: Pick<BooksSettings, 'referenceRates'>,
  day: CivilDate,
): number | null {
  if (day > ratesEnd(settings)) return null
  const rows = settings.referenceRates.toSorted((a, b) => (a.from < b.from ? 1 : -1))
  return rows.find(({ from }) => day >= from)?.percent ?? null
}

/** The last day of the fiscal year that a day is in. */
export function fiscalYearEndOf(
  { fiscalYearEnd }: Pick<BooksSettings, 'fiscalYearEnd'>,
  day: CivilDate,
): CivilDate {
  const endIn = (year: number) =>
    // The last of February is another day in a leap year.
    fiscalYearEnd === '02-29' || fiscalYearEnd === '02-28'
      ? addDays(`${year}-03-01`, -1)
      : `${year}-${fiscalYearEnd}`
  const year = Number(day.slice(0, 4))
  return day <= endIn(year) ? endIn(year) : endIn(year + 1)
}
