// Dates in words for people, without Temporal, which pages could not afford.

/** A format that is made when it is first used: each takes a browser milliseconds. */
const format = (options: Intl.DateTimeFormatOptions) => {
  let made: Intl.DateTimeFormat | null = null
  return () => (made ??= new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }))
}

const whole = format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
const long = format({ day: 'numeric', month: 'long', year: 'numeric' })
const month = format({ month: 'long', year: 'numeric' })

/** A civil date has no zone; as an instant in UTC it is read back as the same date. */
const instant = (date: string) => new Date(`${date}T00:00:00Z`)

/** A civil date whole, as it is read out: Friday 14 May 2027. @param date YYYY-MM-DD */
export const wholeDate = (date: string): string => whole().format(instant(date)).replace(',', '')

/** A civil date without its weekday: 14 May 2027. @param date YYYY-MM-DD */
export const longDate = (date: string): string => long().format(instant(date))

/** A month: May 2027. @param monthText YYYY-MM */
export const monthName = (monthText: string): string => month().format(instant(`${monthText}-01`))

/**
 * A range of civil dates: "Friday 14 May 2027" for one day, "14–16 May 2027" for several.
 * @param from YYYY-MM-DD
 * @param to the last day itself
 */
export const dateRange = (from: string, to: string): string =>
  // The typographer's thin spaces around the dash are no help to who copies the text.
  from === to
    ? wholeDate(from)
    : long()
        .formatRange(instant(from), instant(to))
        .replaceAll(/\u2009|\u202f/g, ' ')
