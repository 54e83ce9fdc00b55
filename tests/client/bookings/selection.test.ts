import { expect, test } from 'vitest'
import { bookingLimits } from '#shared/bookings/limits.ts'
import { daysLater } from '#shared/dates/months.ts'
import {
  choose,
  choosing,
  destination,
  isChosen,
  stateInWords,
} from '../../../client/bookings/selection.ts'

const free = () => true
const nothing = { from: '', to: '' }
const day = (date: string) => ({ from: date, to: date })
const first = '2027-06-10'

test('the first press is one day, a later day makes it a range, and the next begins anew', () => {
  const one = choose(nothing, first, free)
  expect(one).toEqual(day(first))
  const range = choose(one, '2027-06-12', free)
  expect(range).toEqual({ from: first, to: '2027-06-12' })
  expect(choose(range, '2027-06-14', free)).toEqual(day('2027-06-14'))
})

test.each([
  ['an earlier day', '2027-06-09', free],
  ['the same day', first, free],
  ['a day that is taken', '2027-06-12', () => false],
  ['a day too far away', daysLater(first, bookingLimits.maxDays), free],
])('%s begins anew', (_, date, isFree) => {
  expect(choose(day(first), date, isFree)).toEqual(day(date))
})

test('a day of another month counts as free until the form is sent', () => {
  const days = [{ date: '2027-06-12', state: 'taken' as const, free: 0 }]
  const next = choosing(days, day(first))
  expect(next('2027-06-12')).toEqual(day('2027-06-12'))
  expect(next('2027-07-01')).toEqual({ from: first, to: '2027-07-01' })
})

test('the longest range that can be booked can be chosen', () => {
  const last = daysLater(first, bookingLimits.maxDays - 1)
  expect(choose(day(first), last, free)).toEqual({ from: first, to: last })
})

test('the ends of a range belong to it; nothing does before there is one', () => {
  const chosen = { from: first, to: '2027-06-12' }
  const dates = ['2027-06-09', first, '2027-06-11', '2027-06-12', '2027-06-13']
  expect(dates.map((date) => isChosen(chosen, date))).toEqual([false, true, true, true, false])
  expect(isChosen({ from: first, to: '' }, first)).toBe(true)
  expect(isChosen(nothing, first)).toBe(false)
})

test('the state of a day is said in words', () => {
  expect(stateInWords({ state: 'limited', free: 1 })).toBe('1 place left')
  expect(stateInWords({ state: 'limited', free: 2 })).toBe('2 places left')
  expect(stateInWords({ state: 'held', free: 0 })).toBe('on hold for another client')
})

const press = (key: string, date: string, shiftKey = false) => destination({ key, shiftKey }, date)

test.each([
  ['ArrowLeft', '2027-02-28'],
  ['ArrowRight', '2027-03-02'],
  ['ArrowUp', '2027-02-22'],
  ['ArrowDown', '2027-03-08'],
  ['PageUp', '2027-02-01'],
  ['PageDown', '2027-04-01'],
])('%s leads from 1 March 2027 to %s', (key, to) => {
  expect(press(key, '2027-03-01')).toBe(to)
})

test('with Shift a page is a year', () => {
  expect(press('PageUp', '2027-03-01', true)).toBe('2026-03-01')
  expect(press('PageDown', '2028-02-29', true)).toBe('2029-02-28')
})

test('a month that is too short ends where it ends', () => {
  expect(press('PageDown', '2027-01-31')).toBe('2027-02-28')
})

test('Home and End stay in the week, and in the month', () => {
  // A Wednesday in the middle of its month.
  expect(press('Home', '2027-06-16')).toBe('2027-06-14')
  expect(press('End', '2027-06-16')).toBe('2027-06-20')
  // The first is a Tuesday, the last a Wednesday.
  expect(press('Home', '2027-06-02')).toBe('2027-06-01')
  expect(press('End', '2027-06-29')).toBe('2027-06-30')
})

test('every other key moves nothing', () => {
  for (const key of ['Enter', 'Tab', 'a', 'Escape']) expect(press(key, '2027-06-16')).toBeNull()
})
