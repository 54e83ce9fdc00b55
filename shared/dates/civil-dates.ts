import { Temporal } from 'temporal-polyfill'

// Not for the first code of public pages: the polyfill is 20 kB. Pages load it where it is needed.

/** The zone of the office; all days and times are of its calendar where nothing else is said. */
export const officeZone = 'Europe/Helsinki'

/** The hour of the office clock by which a reply is due. */
const dueHour = '17:00'

/** A day of the calendar without a time or zone, as YYYY-MM-DD. Sorts as text. */
export type CivilDate = string

const plain = (date: CivilDate) => Temporal.PlainDate.from(date)

/**
 * Reads a date as typed or sent.
 * @returns null for anything but an existing day, written YYYY-MM-DD, from 1900 to 2999
 */
export function civilDate(text: string): CivilDate | null {
  if (!/^(?:19|2\d)\d\d-\d\d-\d\d$/.test(text)) return null
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' }).toString()
  } catch {
    return null
  }
}

/** The day that a zone's calendar shows at an instant. @param at milliseconds of the epoch */
export const dateAt = (at: number, zone: string = officeZone): CivilDate =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDate().toString()

/** What a zone's clock shows at an instant, as HH:MM. */
export const timeAt = (at: number, zone: string = officeZone): string =>
  Temporal.Instant.fromEpochMilliseconds(at)
    .toZonedDateTimeISO(zone)
    .toPlainTime()
    .toString({ smallestUnit: 'minute' })

/**
 * The instant of a local date and time. Of a time that comes twice, as the clocks go back, the
 * first counts.
 * @param time HH:MM
 * @returns milliseconds of the epoch, or null for a time that the clocks skip
 * @throws RangeError for a date, time or zone that is none
 */
export function instantAt(date: CivilDate, time: string, zone: string = officeZone): number | null {
  const local = plain(date).toPlainDateTime(Temporal.PlainTime.from(time))
  const found = local.toZonedDateTime(zone, { disambiguation: 'earlier' })
  return found.toPlainDateTime().equals(local) ? found.epochMilliseconds : null
}

/** The instant at which a day begins; not midnight where the clocks skip that. */
export const dayStart = (date: CivilDate, zone: string = officeZone): number =>
  plain(date).toZonedDateTime(zone).startOfDay().epochMilliseconds

/** The instant at which a day is over. */
export const dayEnd = (date: CivilDate, zone: string = officeZone): number =>
  dayStart(addDays(date, 1), zone)

/** The first day that begins at an instant or after it. */
export function firstDayFrom(at: number, zone: string = officeZone): CivilDate {
  const date = dateAt(at, zone)
  return dayStart(date, zone) >= at ? date : addDays(date, 1)
}

/** The day some days later, or earlier for a negative number. */
export const addDays = (date: CivilDate, days: number): CivilDate =>
  plain(date).add({ days }).toString()

/** The same day some months later; a day that the month lacks becomes its last. */
export const addMonths = (date: CivilDate, months: number): CivilDate =>
  plain(date).add({ months }).toString()

/** Days from one date to another; negative when the second is earlier. */
export const daysBetween = (from: CivilDate, to: CivilDate): number =>
  plain(from).until(plain(to)).days

/** All days from one date to another, both included; none when the second is earlier. */
export function datesFrom(from: CivilDate, to: CivilDate): CivilDate[] {
  const first = plain(from)
  const length = Math.max(0, first.until(plain(to)).days + 1)
  return Array.from({ length }, (_, index) => first.add({ days: index }).toString())
}

/** The day of the week: 1 is Monday, 7 is Sunday. */
export const weekday = (date: CivilDate): number => plain(date).dayOfWeek

/** Easter Sunday of a Gregorian year (Meeus, Jones and Butcher). */
export function easterSunday(year: number): CivilDate {
  const moonYear = year % 19
  const century = Math.floor(year / 100)
  const inCentury = year % 100
  const leapCenturies = Math.floor(century / 4)
  const moonShift = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const moon = (19 * moonYear + century - leapCenturies - moonShift + 15) % 30
  const toSunday =
    (32 + 2 * (century % 4) + 2 * Math.floor(inCentury / 4) - moon - (inCentury % 4)) % 7
  const late = Math.floor((moonYear + 11 * moon + 22 * toSunday) / 451)
  const number = moon + toSunday - 7 * late + 114
  const month = Math.floor(number / 31)
  return Temporal.PlainDate.from({ year, month, day: (number % 31) + 1 }).toString()
}

const fixedHolidays: Readonly<Record<string, string>> = {
  '01-01': 'New Year’s Day',
  '01-06': 'Epiphany',
  '05-01': 'May Day',
  '12-06': 'Independence Day',
  '12-24': 'Christmas Eve',
  '12-25': 'Christmas Day',
  '12-26': 'Boxing Day',
}

/** By days after Easter Sunday. */
const easterHolidays: Readonly<Record<number, string>> = {
  [-2]: 'Good Friday',
  0: 'Easter Sunday',
  1: 'Easter Monday',
  39: 'Ascension Day',
  49: 'Pentecost',
}

/**
 * What a Finnish holiday is called; null for every other day. Midsummer Eve and Christmas Eve are
 * among them: they are free by custom.
 */
export function holiday(date: CivilDate): string | null {
  const monthAndDay = date.slice(5)
  const fixed = fixedHolidays[monthAndDay]
  if (fixed) return fixed
  // Months of days are asked for at once, so the calendar is only asked where it may matter.
  const isAmong = (first: string, last: string) => monthAndDay >= first && monthAndDay <= last
  if (isAmong('06-19', '06-25') && weekday(date) === 5) return 'Midsummer Eve'
  if (isAmong('06-20', '06-26') && weekday(date) === 6) return 'Midsummer Day'
  if (isAmong('10-31', '11-06') && weekday(date) === 6) return "All Saints' Day"
  // From the earliest Good Friday to the latest Pentecost.
  if (!isAmong('03-20', '06-13')) return null
  return easterHolidays[daysBetween(easterSunday(Number(date.slice(0, 4))), date)] ?? null
}

/** Whether people work on a day in Finland: neither weekend nor {@link holiday}. */
export const isWorkingDay = (date: CivilDate): boolean =>
  weekday(date) <= 5 && holiday(date) === null

/** The working day that is so many working days after a date; the date itself need be none. */
export function addWorkingDays(date: CivilDate, count: number): CivilDate {
  let found = date
  for (let left = count; left > 0;) {
    found = addDays(found, 1)
    if (isWorkingDay(found)) left -= 1
  }
  return found
}

/**
 * By when a message is answered that promises "the next working day at the latest": 17:00 in
 * Helsinki on the first working day after the day it came in.
 * @param receivedAt milliseconds of the epoch
 * @returns milliseconds of the epoch
 */
export const replyDue = (receivedAt: number): number =>
  instantAt(addWorkingDays(dateAt(receivedAt), 1), dueHour)!
