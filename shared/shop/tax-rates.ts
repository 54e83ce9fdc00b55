import type { CivilDate } from '../dates/civil-dates.ts'

/** A rate of VAT in per cent, by the day from which it counts; the newest first. */
type Dated = readonly (readonly [from: CivilDate, rate: number])[]

/**
 * The standard rates of the member states, and of the United Kingdom for goods sent to Northern Ireland,
 * as the Commission publishes them in “Taxes in Europe”. A rate that changes gets its own line
 * ahead of the others, with the day from which it counts.
 */
const standardRates: Readonly<Record<string, Dated>> = {
  AT: [['1984-01-01', 20]],
  BE: [['1996-01-01', 21]],
  BG: [['1999-01-01', 20]],
  CY: [['2014-01-13', 19]],
  CZ: [['2013-01-01', 21]],
  DE: [['2021-01-01', 19]],
  DK: [['1992-01-01', 25]],
  EE: [
    ['2025-07-01', 24],
    ['2024-01-01', 22],
    ['2009-07-01', 20],
  ],
  ES: [['2012-09-01', 21]],
  FI: [
    ['2024-09-01', 25.5],
    ['2013-01-01', 24],
  ],
  FR: [['2014-01-01', 20]],
  GB: [['2011-01-04', 20]],
  GR: [['2016-06-01', 24]],
  HR: [['2012-03-01', 25]],
  HU: [['2012-01-01', 27]],
  IE: [['2021-03-01', 23]],
  IT: [['2013-10-01', 22]],
  LT: [['2009-09-01', 21]],
  LU: [
    ['2024-01-01', 17],
    ['2023-01-01', 16],
    ['2015-01-01', 17],
  ],
  LV: [['2012-07-01', 21]],
  MT: [['2004-01-01', 18]],
  NL: [['2012-10-01', 21]],
  PL: [['2011-01-01', 23]],
  PT: [['2011-01-01', 23]],
  RO: [
    ['2025-08-01', 21],
    ['2017-01-01', 19],
  ],
  SE: [['1990-07-01', 25]],
  SI: [['2013-07-01', 22]],
  SK: [
    ['2025-01-01', 23],
    ['2011-01-01', 20],
  ],
}

/**
 * The standard rate of a country on a day.
 * @param country ISO 3166-1 alpha-2 of a member state, or GB for Northern Ireland
 * @returns per cent
 * @throws RangeError for another country, or a day before its first known rate
 */
export function standardRate(country: string, date: CivilDate): number {
  const found = standardRates[country]?.find(([from]) => date >= from)
  if (!found) throw new RangeError(`No VAT rate of ${country} is known for ${date}.`)
  return found[1]
}

/**
 * What the member states charge on printed books, and the United Kingdom in Northern Ireland, as “Taxes
 * in Europe” had it; Lithuania by its Law XV-287, Latvia for books in a language of the Union. Days
 * before 2026, Denmark, which has one rate alone, and Slovakia, whose rate for 2026 we couldn't verify,
 * have the standard rate (docs/decisions/0047-vat.md).
 */
const bookRates: Readonly<Record<string, Dated>> = {
  AT: [['2026-01-01', 10]],
  BE: [['2026-01-01', 6]],
  BG: [['2026-01-01', 9]],
  CY: [['2026-01-01', 3]],
  CZ: [['2026-01-01', 0]],
  DE: [['2026-01-01', 7]],
  EE: [['2026-01-01', 9]],
  ES: [['2026-01-01', 4]],
  FI: [['2026-01-01', 13.5]],
  FR: [['2026-01-01', 5.5]],
  GB: [['2026-01-01', 0]],
  GR: [['2026-01-01', 6]],
  HR: [['2026-01-01', 5]],
  HU: [['2026-01-01', 5]],
  IE: [['2026-01-01', 0]],
  IT: [['2026-01-01', 4]],
  LT: [['2026-01-01', 5]],
  LU: [['2026-01-01', 3]],
  LV: [['2026-01-01', 5]],
  MT: [['2026-01-01', 5]],
  NL: [['2026-01-01', 9]],
  PL: [['2026-01-01', 5]],
  PT: [['2026-01-01', 6]],
  RO: [['2026-01-01', 11]],
  SE: [['2026-01-01', 6]],
  SI: [['2026-01-01', 5]],
}

/**
 * The rate of a country for printed books on a day; its standard rate where none of their own is known.
 * @param country ISO 3166-1 alpha-2 of a member state, or GB for Northern Ireland
 * @returns per cent
 * @throws RangeError for another country, or a day before its first known rate
 */
export const bookRate = (country: string, date: CivilDate): number =>
  bookRates[country]?.find(([from]) => date >= from)?.[1] ?? standardRate(country, date)
