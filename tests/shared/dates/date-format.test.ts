import { expect, test } from 'vitest'
import { dateRange, longDate, monthName, wholeDate } from '#shared/dates/date-format.ts'
import { helsinkiDate } from '#shared/dates/helsinki-date.ts'
import { helsinki } from '#shared/dates/helsinki-time.ts'
import { hoursBy } from '#shared/dates/hours-elsewhere.ts'
import { dayAndMonth, shortDate, shortMonth } from '#shared/dates/short-dates.ts'

const format = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' })

test('every day of four years is named as British English names it', () => {
  const whole = format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
  const long = format({ dateStyle: 'long' })
  const medium = format({ dateStyle: 'medium' })
  const month = format({ month: 'long', year: 'numeric' })
  for (let at = Date.UTC(2024, 0, 1); at < Date.UTC(2028, 0, 1); at += 86_400_000) {
    const date = new Date(at).toISOString().slice(0, 10)
    expect(wholeDate(date)).toBe(whole.format(at).replace(',', ''))
    expect(longDate(date)).toBe(long.format(at))
    expect(shortDate(date)).toBe(medium.format(at))
    expect(monthName(date.slice(0, 7))).toBe(month.format(at))
    expect(`${dayAndMonth(date)} ${date.slice(0, 4)}`).toBe(medium.format(at))
    expect(shortDate(date)).toContain(shortMonth(date))
  }
})

test('ranges have a closed dash between days, and a spaced one between dates', () => {
  expect(dateRange('2027-05-14', '2027-05-14')).toBe('Friday 14 May 2027')
  expect(dateRange('2027-05-14', '2027-05-16')).toBe('14–16 May 2027')
  expect(dateRange('2027-04-30', '2027-05-02')).toBe('30 April – 2 May 2027')
  expect(dateRange('2026-12-30', '2027-01-02')).toBe('30 December 2026 – 2 January 2027')
})

test('the date in Helsinki is that of its clock in every hour of four years', () => {
  for (let at = Date.UTC(2024, 0, 1); at < Date.UTC(2028, 0, 1); at += 1_799_999) {
    expect(helsinkiDate(at)).toBe(helsinki(at).date)
  }
})

test('hours by another clock name the day once, and only where it is another one', () => {
  const stretch = (startsAt: string, endsAt: string | null, to = '2027-05-14') =>
    hoursBy(helsinki, { from: '2027-05-14', to, startsAt, endsAt })
  expect(stretch('2027-05-14T08:00:00Z', '2027-05-14T12:00:00Z')).toBe('11:00–15:00')
  expect(stretch('2027-05-14T22:00:00Z', '2027-05-15T01:00:00Z')).toBe('15 May, 01:00–04:00')
  expect(stretch('2027-05-14T19:00:00Z', '2027-05-14T22:30:00Z')).toBe('22:00–15 May, 01:30')
  expect(stretch('2027-05-14T22:00:00Z', '2027-05-16T22:30:00Z', '2027-05-16')).toBe(
    '15 May, 01:00–17 May, 01:30',
  )
  // A night there is a day here, whose name says that it isn't over on the last one.
  expect(stretch('2027-05-14T10:00:00Z', '2027-05-14T14:00:00Z', '2027-05-15')).toBe(
    '14 May, 13:00–17:00',
  )
  expect(stretch('2027-05-14T08:00:00Z', null)).toBe('11:00')
  expect(
    hoursBy(helsinki, { from: '2027-05-14', to: '2027-05-14', startsAt: null, endsAt: null }),
  ).toBe('')
})
