import { expect, test } from 'vitest'
import { mailName } from '#server/contributions/desk-source.ts'

test.each([
  ['bookingConfirmed', 'Booking confirmed'],
  ['bookingRequestedStaff', 'Booking requested, to staff'],
  ['confirmation', 'Confirmation'],
  ['folder-new', 'Folder new'],
])('staff read %s as %s', (kind, name) => {
  expect(mailName(kind)).toBe(name)
})
