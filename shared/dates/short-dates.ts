import { longDate } from './date-format.ts'

/**
 * A civil date where there is little room: 14 Sept 2027. Months have three letters, and September has
 * the four of British English.
 * @param date YYYY-MM-DD
 */
export const shortDate = (date: string): string =>
  longDate(date).replace(/(?<=Sept|[A-RT-Z]..)[a-z]+/, '')

/** A civil date of a year that is known: 14 Sept. @param date YYYY-MM-DD */
export const dayAndMonth = (date: string): string => shortDate(date).slice(0, -5)

/** The month of a civil date where there is little room: Sept. @param date YYYY-MM-DD */
export const shortMonth = (date: string): string => dayAndMonth(date).split(' ')[1]!
