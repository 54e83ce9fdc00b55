import { expect, test } from 'vitest'
import { bookingLimits } from '#shared/booking-limits.ts'
import { daysLater } from '#shared/months.ts'
import { choose, choosing, isChosen, stateInWords } from '../../../client/bookings/selection.ts'

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
  ['a day too far away', daysLater(first, bookingLimits.daysMost), free],
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
  const last = daysLater(first, bookingLimits.daysMost - 1)
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
