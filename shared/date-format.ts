// Dates in words for people. Without Temporal, which pages could not afford, and without Intl: the
// first format that a page makes takes a phone a fifth of a second.

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

/** Of September the four letters that British English uses. */
const shortMonths = [
  'Jan',
  'Feb',
  'Mar',
  'Apr',
  'May',
  'Jun',
  'Jul',
  'Aug',
  'Sept',
  'Oct',
  'Nov',
  'Dec',
] as const

const weekdays = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const

/** The parts of a civil date, as it is written. */
function partsOf(date: string) {
  const month = Number(date.slice(5, 7)) - 1
  return { day: Number(date.slice(8, 10)), month, year: Number(date.slice(0, 4)) }
}

/** A civil date whole, as it is read out: Friday 14 May 2027. @param date YYYY-MM-DD */
export const wholeDate = (date: string): string =>
  // As an instant in UTC a civil date keeps its weekday.
  `${weekdays[new Date(`${date}T00:00:00Z`).getUTCDay()]} ${longDate(date)}`

/** A civil date without its weekday: 14 May 2027. @param date YYYY-MM-DD */
export function longDate(date: string): string {
  const { day, month, year } = partsOf(date)
  return `${day} ${months[month]} ${year}`
}

/** A civil date where there is little room: 14 Sept 2027. @param date YYYY-MM-DD */
export const shortDate = (date: string): string => `${dayAndMonth(date)} ${partsOf(date).year}`

/** A civil date of a year that is known: 14 Sept. @param date YYYY-MM-DD */
export const dayAndMonth = (date: string): string => `${partsOf(date).day} ${shortMonth(date)}`

/** The month of a civil date where there is little room: Sept. @param date YYYY-MM-DD */
export const shortMonth = (date: string): string => shortMonths[partsOf(date).month]!

/** A month: May 2027. @param monthText YYYY-MM */
export function monthName(monthText: string): string {
  const { month, year } = partsOf(monthText)
  return `${months[month]} ${year}`
}

/**
 * A range of civil dates: "Friday 14 May 2027" for one day, "14–16 May 2027" for several, "30 April –
 * 2 May 2027" across months.
 * @param from YYYY-MM-DD
 * @param to the last day itself
 */
export function dateRange(from: string, to: string): string {
  if (from === to) return wholeDate(from)
  const first = partsOf(from)
  const last = partsOf(to)
  if (first.year !== last.year) return `${longDate(from)} – ${longDate(to)}`
  if (first.month !== last.month) return `${first.day} ${months[first.month]} – ${longDate(to)}`
  return `${first.day}–${longDate(to)}`
}
