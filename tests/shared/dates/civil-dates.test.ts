import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addDays,
  addMonths,
  addWorkingDays,
  civilDate,
  dateAt,
  datesFrom,
  dayStart,
  daysBetween,
  firstDayFrom,
  holiday,
  instantAt,
  isWorkingDay,
  replyDue,
  timeAt,
  weekday,
} from '#shared/dates/civil-dates.ts'
import { helsinkiIso } from '#shared/dates/helsinki-time.ts'

test.each([
  ['2026-01-01', 'New Year'],
  ['2026-01-06', 'Epiphany'],
  ['2026-04-03', 'Good Friday'],
  ['2026-04-06', 'Easter Monday'],
  ['2026-05-01', 'May Day'],
  ['2026-05-14', 'Ascension'],
  ['2026-06-19', 'Midsummer Eve at its earliest'],
  ['2027-06-25', 'Midsummer Eve at its latest'],
  ['2027-12-06', 'Independence Day'],
  ['2026-12-24', 'Christmas Eve'],
  ['2026-12-25', 'Christmas'],
  ['2025-12-26', 'Boxing Day'],
  ['2027-03-29', 'Easter Monday of a March Easter'],
  ['2038-04-26', 'Easter Monday at its latest'],
  ['2008-03-24', 'Easter Monday near its earliest'],
  ['2026-11-21', 'a Saturday'],
  ['2026-11-22', 'a Sunday'],
])('%s, %s, is free', (date) => {
  expect(isWorkingDay(date)).toBe(false)
})

test.each([
  '2026-04-02',
  '2026-04-07',
  '2026-05-15',
  '2026-06-18',
  '2026-12-23',
  '2026-12-31',
  '2026-11-20',
  '2026-06-26',
])('%s is a working day', (date) => {
  expect(isWorkingDay(date)).toBe(true)
})

test.each([
  ['on a Monday', '2026-11-16T08:00:00Z', '2026-11-17T15:00:00.000Z'],
  ['on a Friday', '2026-11-20T12:00:00Z', '2026-11-23T15:00:00.000Z'],
  ['on a Sunday', '2026-11-22T12:00:00Z', '2026-11-23T15:00:00.000Z'],
  [
    'before midnight in UTC, after it in Helsinki',
    '2026-11-16T22:30:00Z',
    '2026-11-18T15:00:00.000Z',
  ],
  ['before Christmas', '2026-12-23T10:00:00Z', '2026-12-28T15:00:00.000Z'],
  ['before Easter', '2026-04-02T10:00:00Z', '2026-04-07T14:00:00.000Z'],
  ['before Midsummer', '2026-06-18T10:00:00Z', '2026-06-22T14:00:00.000Z'],
  ['before New Year', '2026-12-31T10:00:00Z', '2027-01-04T15:00:00.000Z'],
  ['before the clocks go forward', '2026-03-27T10:00:00Z', '2026-03-30T14:00:00.000Z'],
  ['before the clocks go back', '2026-10-23T10:00:00Z', '2026-10-26T15:00:00.000Z'],
])('what comes in %s is due at 17:00 in Helsinki', (_, received, due) => {
  expect(new Date(replyDue(Date.parse(received))).toISOString()).toBe(due)
})

test.each([
  ['2026-11-20T12:00:00.123Z', '2026-11-20T14:00:00.123+02:00'],
  ['2026-07-01T21:30:00.000Z', '2026-07-02T00:30:00.000+03:00'],
  ['2026-03-29T00:59:59.000Z', '2026-03-29T02:59:59.000+02:00'],
  ['2026-03-29T01:00:00.000Z', '2026-03-29T04:00:00.000+03:00'],
  ['2026-10-25T00:30:00.000Z', '2026-10-25T03:30:00.000+03:00'],
  ['2026-10-25T01:30:00.000Z', '2026-10-25T03:30:00.000+02:00'],
])('%s is %s in Helsinki', (utc, local) => {
  expect(helsinkiIso(Date.parse(utc))).toBe(local)
})

test.each([
  ['2026-11-20', '2026-11-19T22:00:00.000Z'],
  ['2026-07-01', '2026-06-30T21:00:00.000Z'],
  ['2026-03-29', '2026-03-28T22:00:00.000Z'],
  ['2026-03-30', '2026-03-29T21:00:00.000Z'],
  ['2026-10-25', '2026-10-24T21:00:00.000Z'],
  ['2026-10-26', '2026-10-25T22:00:00.000Z'],
])('the day %s begins at %s', (date, utc) => {
  expect(new Date(dayStart(date)).toISOString()).toBe(utc)
})

test.each([
  ['2026-02-28', true],
  ['2028-02-29', true],
  ['2026-02-29', false],
  ['2026-13-01', false],
  ['2026-1-1', false],
  ['2026-01-01T00:00', false],
  ['+002026-01-01', false],
  ['1899-12-31', false],
  ['', false],
])('%s is a date: %s', (text, is) => {
  expect(civilDate(text)).toBe(is ? text : null)
})

test.each([
  ['2026-03-29', '03:30', 'Europe/Helsinki', null],
  ['2026-10-25', '03:30', 'Europe/Helsinki', '2026-10-25T00:30:00.000Z'],
  ['2026-11-20', '14:00', 'Europe/Helsinki', '2026-11-20T12:00:00.000Z'],
  ['2026-11-20', '14:00', 'America/Indiana/Indianapolis', '2026-11-20T19:00:00.000Z'],
  ['2026-07-01', '14:00', 'Europe/London', '2026-07-01T13:00:00.000Z'],
])('%s at %s in %s', (date, time, zone, instant) => {
  const at = instantAt(date, time, zone)
  expect(at === null ? null : new Date(at).toISOString()).toBe(instant)
})

test('days of any zone and both switch days count right', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2035, 0) }),
      fc.integer({ min: -400, max: 400 }),
      fc.constantFrom('Europe/Helsinki', 'America/New_York', 'Pacific/Auckland', 'UTC'),
      (at, days, zone) => {
        const date = dateAt(at, zone)
        const other = addDays(date, days)
        expect(daysBetween(date, other)).toBe(days)
        expect(dateAt(dayStart(other, zone), zone)).toBe(other)
        expect(dateAt(dayStart(other, zone) - 1, zone)).toBe(addDays(other, -1))
        expect(datesFrom(date, other)).toHaveLength(Math.max(0, days + 1))
        const first = firstDayFrom(at, zone)
        expect(dayStart(first, zone)).toBeGreaterThanOrEqual(at)
        expect(dayStart(addDays(first, -1), zone)).toBeLessThan(at)
      },
    ),
  )
})

test('the first day that begins 48 hours ahead', () => {
  const at = (text: string) => firstDayFrom(Date.parse(text) + 48 * 3_600_000)
  expect(at('2026-11-20T12:00:00Z')).toBe('2026-11-23')
  expect(at('2026-11-19T22:00:00Z')).toBe('2026-11-22')
  // The day of the switch has 25 hours.
  expect(at('2026-10-23T21:00:00Z')).toBe('2026-10-26')
})

test.each([
  ['2026-04-03', 'Good Friday'],
  ['2026-06-20', 'Midsummer Day'],
  ['2026-10-31', "All Saints' Day"],
  ['2026-12-06', 'Independence Day'],
  ['2026-05-24', 'Pentecost'],
  ['2026-11-20', null],
])('%s is called %s', (date, name) => {
  expect(holiday(date)).toBe(name)
})

test('months and working days are counted by the calendar', () => {
  expect(addMonths('2026-01-31', 1)).toBe('2026-02-28')
  expect(addMonths('2026-11-20', 18)).toBe('2028-05-20')
  expect(addWorkingDays('2026-12-23', 1)).toBe('2026-12-28')
  expect(addWorkingDays('2026-11-21', 14)).toBe('2026-12-10')
  expect(addWorkingDays('2026-11-21', 0)).toBe('2026-11-21')
  expect(weekday('2026-11-20')).toBe(5)
  expect(timeAt(Date.UTC(2026, 10, 20, 12, 5))).toBe('14:05')
})
