import { dayMs } from './durations.ts'
// Civil dates and months for pages, without Temporal, which they could not afford. A date is read as
// midnight in UTC, where no clock ever changes, so it stays the date that it is.

const instant = (date: string) => Date.parse(`${date}T00:00:00Z`)
const dateOf = (at: number) => new Date(at).toISOString().slice(0, 10)

/** Years of a date or month that someone can mean; Date reads the first hundred as 1900 to 1999. */
const isUsualYear = (text: string) => /^(?:19|2\d)\d\d-/.test(text)

/** Whether a text is a civil date that exists, YYYY-MM-DD (ISO 8601), from 1900 to 2999. */
export const isDate = (text: string | null | undefined): text is string =>
  text !== null &&
  text !== undefined &&
  isUsualYear(text) &&
  /^\d{4}-\d{2}-\d{2}$/.test(text) &&
  !Number.isNaN(instant(text)) &&
  dateOf(instant(text)) === text

/** Whether a text is a month, YYYY-MM, from 1900 to 2999. */
export const isMonth = (text: string | null | undefined): text is string =>
  isUsualYear(text ?? '') && /^\d{4}-(?:0[1-9]|1[0-2])$/.test(text ?? '')

/** A date so many days later, or earlier for a negative number. */
export const daysLater = (date: string, days: number): string =>
  dateOf(instant(date) + days * dayMs)

/** The days of a range, both ends counted; 1 for a single day. */
export const lengthOf = (from: string, to: string): number =>
  Math.round((instant(to) - instant(from)) / dayMs) + 1

/** The month of a date, YYYY-MM. */
export const monthOf = (date: string): string => date.slice(0, 7)

/** A month so many months later, or earlier for a negative number. */
export function monthsLater(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7)
}

/** The date with the same number in another month, or the last one there is. */
export function sameDayIn(month: string, date: string): string {
  const last = lastDayOf(month)
  const same = `${month}-${date.slice(8)}`
  return same > last ? last : same
}

/** The last day of a month. */
export const lastDayOf = (month: string): string => daysLater(`${monthsLater(month, 1)}-01`, -1)

/** The place of a date in its week: 0 for Monday to 6 for Sunday (ISO 8601). */
export const placeInWeek = (date: string): number => (new Date(instant(date)).getUTCDay() + 6) % 7

/** The weeks that a month touches, from Monday to Sunday; days of other months are null. */
export function weeksOf(month: string): (string | null)[][] {
  const first = `${month}-01`
  const days: (string | null)[] = Array.from({ length: placeInWeek(first) }, () => null)
  for (let date = first; date.startsWith(month); date = daysLater(date, 1)) days.push(date)
  while (days.length % 7 > 0) days.push(null)
  return Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7))
}

/** The days of the week by their short and long names, Monday first. */
export const weekdays = [
  ['Mon', 'Monday'],
  ['Tue', 'Tuesday'],
  ['Wed', 'Wednesday'],
  ['Thu', 'Thursday'],
  ['Fri', 'Friday'],
  ['Sat', 'Saturday'],
  ['Sun', 'Sunday'],
] as const
