import { expect, test } from 'vitest'
import { timesElsewhere } from '../../../client/bookings/own-times.ts'

const helsinki = { from: '2027-06-10', zone: 'Europe/Helsinki' }

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
  const night = { ...helsinki, start: '20:00', end: '02:00' }
  expect(timesElsewhere(night, 'Europe/London')).toBe('18:00–00:00 in London (your time)')
  expect(timesElsewhere(night, 'America/New_York')).toBe('13:00–19:00 in New York (your time)')
  expect(timesElsewhere(night, 'Asia/Tokyo')).toBe('02:00 the next day–08:00 in Tokyo (your time)')
  // The clocks go forward in the night, before it ends.
  expect(timesElsewhere({ ...night, from: '2027-03-27', end: '05:00' }, 'America/New_York')).toBe(
    '14:00–22:00 in New York (your time)',
  )
})
