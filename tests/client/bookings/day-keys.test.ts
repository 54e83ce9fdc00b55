import { expect, test } from 'vitest'
import { destination } from '../../../client/bookings/day-keys.ts'

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
