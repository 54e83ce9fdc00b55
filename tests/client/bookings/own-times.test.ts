import { expect, test } from 'vitest'
import { timesElsewhere } from '../../../client/bookings/own-times.ts'

const helsinki = { from: '2027-06-10', to: '2027-06-10', zone: 'Europe/Helsinki' }

test('hours are told by the clock of the visitor, with the day where it’s another one', () => {
  const race = { ...helsinki, start: '14:00', end: '20:00' }
  expect(timesElsewhere(race, 'Europe/London')).toBe('12:00–18:00 in London (your time)')
  expect(timesElsewhere(race, 'Asia/Tokyo')).toBe('20:00–02:00 the next day in Tokyo (your time)')
  expect(timesElsewhere({ ...race, end: null }, 'Europe/London')).toBe(
    'from 12:00 in London (your time)',
  )
  expect(timesElsewhere(race, 'Europe/Helsinki')).toBeNull()
})

test('a night ends on the day after it began, on whatever clock', () => {
  const night = { ...helsinki, to: '2027-06-11', start: '20:00', end: '02:00' }
  expect(timesElsewhere(night, 'Europe/London')).toBe('18:00–00:00 in London (your time)')
  expect(timesElsewhere(night, 'America/New_York')).toBe('13:00–19:00 in New York (your time)')
  expect(timesElsewhere(night, 'Asia/Tokyo')).toBe('02:00 the next day–08:00 in Tokyo (your time)')
  // The clocks go forward in the night, before it ends.
  const short = { ...night, from: '2027-03-27', to: '2027-03-28', end: '05:00' }
  expect(timesElsewhere(short, 'America/New_York')).toBe('14:00–22:00 in New York (your time)')
})

test('where the clocks change on other days than here, the hours of the later days are told, too', () => {
  const days = { ...helsinki, from: '2027-03-12', to: '2027-03-30', start: '09:00', end: '18:00' }
  expect(timesElsewhere(days, 'Europe/London')).toBe('07:00–16:00 in London (your time)')
  expect(timesElsewhere(days, 'America/New_York')).toBe(
    '02:00–11:00 (03:00–12:00 from 14 March 2027, 02:00–11:00 from 28 March 2027) in New York (your time)',
  )
  expect(timesElsewhere({ ...days, from: '2027-03-27', end: null }, 'Asia/Tokyo')).toBe(
    'from 16:00 (15:00 from 28 March 2027) in Tokyo (your time)',
  )
  // The last night ends on the day of the change, and begins before it.
  const nights = { ...helsinki, from: '2027-03-26', to: '2027-03-28', start: '20:00', end: '02:00' }
  expect(timesElsewhere(nights, 'Asia/Tokyo')).toBe('03:00 the next day–09:00 in Tokyo (your time)')
})
