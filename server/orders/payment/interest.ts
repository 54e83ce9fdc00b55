import { addDays, daysBetween, type CivilDate } from '#shared/civil-dates.ts'
import { ratesEnd, referenceRateOn, type BooksSettings } from '../books/settings.ts'

/** Points that the Interest Act (633/1982) puts on the reference rate: section 4, and 4 a for companies. */
const margins = { consumer: 7, business: 8 } as const

/** What interest is worked out from. */
export type LateDebt = {
  /** What was owed from the beginning, credit notes taken off, in cents. */
  readonly owed: number
  readonly dueOn: CivilDate
  readonly isBusiness: boolean
  /** What was paid, negative for what went back. */
  readonly payments: readonly { readonly amount: number; readonly paidOn: CivilDate }[]
}

/** The rate of late interest on a day in per cent; null for days that the table of rates doesn’t reach. */
export function lateRateOn(
  settings: Pick<BooksSettings, 'referenceRates'>,
  day: CivilDate,
  isBusiness: boolean,
): number | null {
  const rate = referenceRateOn(settings, day)
  return rate === null ? null : rate + margins[isBusiness ? 'business' : 'consumer']
}

/**
 * Late interest (Interest Act 4, 4 a and 5 §): of what was owed on each day after the due date, up to the
 * day before another, by actual days of a year of 365. Worked out in exact integers and rounded once.
 * Days beyond the table of reference rates cost nothing.
 * @param until the first day that doesn’t count
 * @returns cents
 */
export function lateInterest(
  settings: Pick<BooksSettings, 'referenceRates'>,
  { owed, dueOn, isBusiness, payments }: LateDebt,
  until: CivilDate,
): number {
  const first = addDays(dueOn, 1)
  const end = earliest(until, addDays(ratesEnd(settings), 1))
  if (first >= end) return 0
  const changes = [
    first,
    // What is paid on a day is owed up to the day before it.
    ...payments.map(({ paidOn }) => paidOn),
    ...settings.referenceRates.map(({ from }) => from),
  ]
  const starts = [...new Set(changes)].filter((day) => day >= first && day < end).toSorted()
  let thousandths = 0n
  for (const [at, from] of starts.entries()) {
    const paid = payments
      .filter(({ paidOn }) => paidOn <= from)
      .reduce((all, { amount }) => all + amount, 0)
    const principal = Math.max(0, owed - paid)
    const days = daysBetween(from, starts[at + 1] ?? end)
    const tenths = Math.round((lateRateOn(settings, from, isBusiness) ?? 0) * 10)
    thousandths += BigInt(principal) * BigInt(tenths) * BigInt(days)
  }
  const year = 365n * 1000n
  return Number((thousandths * 2n + year) / (year * 2n))
}

const earliest = (a: CivilDate, b: CivilDate): CivilDate => (a < b ? a : b)
