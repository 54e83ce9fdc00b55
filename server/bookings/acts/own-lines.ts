import { lineOf, linesOn, priceInWords, totalOf, type BookingLine } from '#shared/bookings/price.ts'
import type { OfferEntries } from '#shared/bookings/staff-page.ts'
import type { DateRange } from '#shared/bookings/bookings.ts'
import { lengthOf } from '#shared/dates/months.ts'
import type { Booking } from '../schema.ts'
import { fieldProblem } from './checks.ts'

/** The work of a booking as staff enter it; net prices in cents. */
export type WorkEntries = Pick<OfferEntries, 'lines' | 'keepLines'>

const isWork = ({ kind }: BookingLine): boolean => kind === 'service'

const days = (count: number): string => (count === 1 ? '1 day' : `${count} days`)

/**
 * A warning before a booking changes dates: lines entered by hand don't follow the number of days.
 * @returns a sentence; null where the length stays, and where every line of the work counts days
 */
export function staleLines(
  { unit, from, to, lines }: Pick<Booking, 'unit' | 'from' | 'to' | 'lines'>,
  range: DateRange,
): string | null {
  const [now, then] = [lengthOf(from, to), lengthOf(range.from, range.to)]
  const own = lines.filter((line) => isWork(line) && line.unit !== 'day')
  if (unit !== 'day' || now === then || own.length === 0) return null
  return `${own.length === 1 ? 'A line was' : `${own.length} lines were`} entered by hand and won’t follow the days: ${days(now)} become ${days(then)}, and ${own.length === 1 ? 'it stays' : 'they stay'} at ${priceInWords(totalOf(own))}.`
}

/** Whether the entered lines equal the booking's own. */
const isSameWork = (lines: readonly BookingLine[], given: NonNullable<OfferEntries['lines']>) => {
  const work = lines.filter(isWork)
  return (
    work.length === given.length &&
    work.every(
      ({ text, quantity, price }, at) =>
        text === given[at]!.text && quantity === given[at]!.quantity && price === given[at]!.price,
    )
  )
}

/**
 * The work of a booking on other dates: what staff enter, else its own lines, those of days recounted.
 * @param rate of VAT for new lines, in per cent
 * @throws invalid at `keepLines` where lines entered by hand would keep the price of another number of
 *   days, unless staff say so
 */
export function workOn(
  booking: Booking,
  range: DateRange,
  { lines: given, keepLines = false }: WorkEntries,
  rate: number,
): BookingLine[] {
  const entered = given?.map((line) => lineOf({ kind: 'service', ...line }, rate)) ?? []
  const isNew = entered.length > 0 && !isSameWork(booking.lines, given!)
  if (!isNew && !keepLines) {
    // Lines as typed are kept as typed, even if they were per day before.
    const asTyped = booking.lines.map((line) => (isWork(line) ? { ...line, unit: null } : line))
    const problem = staleLines(entered.length > 0 ? { ...booking, lines: asTyped } : booking, range)
    if (problem !== null) {
      throw fieldProblem('keepLines', `${problem} Confirm that, or enter new lines`)
    }
  }
  return entered.length > 0 ? entered : linesOn(booking.lines, range).filter(isWork)
}
