import { isByDates, type SaleUnit } from './sale-units.ts'
import { cityOf } from '../dates/zones.ts'
import { dateRange, longDate } from '../dates/date-format.ts'

/** Dates and times of a booking; times by the clock of its zone. */
type Dated = {
  from: string
  to: string
  start: string | null
  end: string | null
  zone: string
  unit: SaleUnit
}

/**
 * Dates and times for people: "14–16 May 2027, 09:00–18:00 each day (Helsinki)". Of a service by month
 * or project only the day on which it begins.
 */
export function datesInWords({ from, to, start, end, zone, unit }: Dated): string {
  if (!isByDates(unit)) return longDate(from)
  if (!start) return dateRange(from, to)
  const hours = end ? `${start}–${end}` : `from ${start}`
  const isEach = from !== to && !(end && end <= start && isNextDay(from, to))
  return `${dateRange(from, to)}, ${hours}${isEach ? ` each ${end && end <= start ? 'night' : 'day'}` : ''} (${cityOf(zone)})`
}

/** Its days in a line without times: "14–16 May 2027"; "from 1 May 2027" where only the beginning is known. */
export const daysInWords = ({ from, to, unit }: Pick<Dated, 'from' | 'to' | 'unit'>): string =>
  isByDates(unit) ? dateRange(from, to) : `from ${longDate(from)}`

/** Whether a range is one night: a day and the next. */
const isNextDay = (from: string, to: string) =>
  Date.parse(`${to}T00:00Z`) - Date.parse(`${from}T00:00Z`) === 86_400_000
