/** Milliseconds of a day. */
const day = 86_400_000

/** The hour of the office clock by which a reply is due. */
const dueHour = 17

const officeClock = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Europe/Helsinki',
  dateStyle: 'short',
  timeStyle: 'medium',
  hourCycle: 'h23',
})

/**
 * What the clock and the calendar in Helsinki show.
 * @param at milliseconds of the epoch
 * @returns `date` as YYYY-MM-DD, `time` as HH:MM:SS, `offset` from UTC in minutes (120 or 180)
 */
export function helsinki(at: number): { date: string; time: string; offset: number } {
  const [date, time] = officeClock.format(at).split(', ') as [string, string]
  const offset = Math.round((Date.parse(`${date}T${time}Z`) - at) / 60_000)
  return { date, time, offset }
}

/** An instant as ISO text with the Helsinki offset, such as 2026-11-20T14:30:00.000+02:00. */
export function helsinkiIso(at: number): string {
  const { date, time, offset } = helsinki(at)
  const milliseconds = String(((at % 1000) + 1000) % 1000).padStart(3, '0')
  return `${date}T${time}.${milliseconds}+0${offset / 60}:00`
}

/**
 * The instant at which the clock in Helsinki shows a whole hour of a date. Not for 03:00 to 04:00,
 * which the switches of March and October leave out or repeat.
 * @param date YYYY-MM-DD
 * @param hour 0 to 23
 * @returns milliseconds of the epoch
 */
export function helsinkiTime(date: string, hour = 0): number {
  const asUtc = Date.parse(`${date}T${String(hour).padStart(2, '0')}:00:00Z`)
  // Two hours before the wall time is the instant itself in winter and an hour late in summer,
  // and the switches at 01:00 UTC lie on the same side of both.
  return asUtc - helsinki(asUtc - 120 * 60_000).offset * 60_000
}

/**
 * Whether people work on a date in Finland: no weekend, no public holiday, and neither Midsummer
 * Eve nor Christmas Eve, which are free by custom.
 * @param date YYYY-MM-DD
 */
export function isWorkingDay(date: string): boolean {
  const at = Date.parse(date)
  const weekday = new Date(at).getUTCDay()
  if (weekday === 0 || weekday === 6) return false
  const year = Number(date.slice(0, 4))
  if (fixedHolidays.has(date.slice(5))) return false
  // Midsummer Eve is the Friday between 19 and 25 June; All Saints and Midsummer Day are Saturdays.
  if (weekday === 5 && date >= `${year}-06-19` && date <= `${year}-06-25`) return false
  const sinceEaster = (at - easter(year)) / day
  return !easterHolidays.has(sinceEaster)
}

/** New Year, Epiphany, May Day, Independence Day, Christmas Eve to Boxing Day. */
const fixedHolidays: ReadonlySet<string> = new Set([
  '01-01',
  '01-06',
  '05-01',
  '12-06',
  '12-24',
  '12-25',
  '12-26',
])

/** Good Friday, Easter Monday, Ascension, in days after Easter Sunday. */
const easterHolidays: ReadonlySet<number> = new Set([-2, 1, 39])

/** Easter Sunday of a Gregorian year (Meeus, Jones and Butcher), as its midnight in UTC. */
function easter(year: number): number {
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
  return Date.UTC(year, Math.floor(number / 31) - 1, (number % 31) + 1)
}

/**
 * By when a message is answered that promises "the next working day at the latest" (spec
 * section 8): 17:00 in Helsinki on the first working day after the day it came in.
 * @param receivedAt milliseconds of the epoch
 * @returns milliseconds of the epoch
 */
export function replyDue(receivedAt: number): number {
  let at = Date.parse(helsinki(receivedAt).date)
  let date: string
  do {
    at += day
    date = new Date(at).toISOString().slice(0, 10)
  } while (!isWorkingDay(date))
  return helsinkiTime(date, dueHour)
}
