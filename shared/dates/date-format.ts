// Dates in words for people. Without Temporal, which pages could not afford, and without Intl: the
// first format that a page makes takes a phone a fifth of a second.

const months =
  'January February March April May June July August September October November December'.split(' ')
/** Each without its “day”. */
const weekdays = 'Sun Mon Tues Wednes Thurs Fri Satur'.split(' ')

/** A civil date whole, as it is read out: Friday 14 May 2027. @param date YYYY-MM-DD */
export const wholeDate = (date: string): string =>
  // As an instant in UTC a civil date keeps its weekday.
  `${weekdays[new Date(`${date}T00:00:00Z`).getUTCDay()]}day ${longDate(date)}`

/** A civil date without its weekday: 14 May 2027. @param date YYYY-MM-DD */
export const longDate = (date: string): string => `${Number(date.slice(8))} ${monthName(date)}`

/** The month of a date: May 2027. @param date YYYY-MM, or more of it */
export const monthName = (date: string): string =>
  `${months[Number(date.slice(5, 7)) - 1]} ${date.slice(0, 4)}`

/**
 * A range of civil dates: "Friday 14 May 2027" for one day, "14–16 May 2027" for several, "30 April –
 * 2 May 2027" across months.
 * @param from YYYY-MM-DD
 * @param to the last day itself
 */
export function dateRange(from: string, to: string): string {
  if (from === to) return wholeDate(from)
  const sameFor = (digits: number) => from.slice(0, digits) === to.slice(0, digits)
  const first = longDate(from)
  if (sameFor(7)) return `${first.split(' ')[0]}–${longDate(to)}`
  return `${sameFor(4) ? first.slice(0, -5) : first} – ${longDate(to)}`
}
