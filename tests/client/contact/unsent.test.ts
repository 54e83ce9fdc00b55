import { expect, test } from 'vitest'
import {
  deliveryOf,
  parseUnsent,
  postponed,
  sendable,
  withChange,
  withMessage,
  withoutMessage,
  withoutOld,
} from '../../../client/contact/unsent.ts'
import { enquiry } from '../../support/enquiry.ts'

const hour = 3_600_000
const first = enquiry()
const second = enquiry({ 'Ticket ID': 'xyz789' })
const both = withMessage(withMessage([], first, 0), second, hour)

test('foreign values in the storage are ignored', () => {
  const whole = both[0]!
  for (const stored of [
    null,
    'undefined',
    '{"record":1}',
    JSON.stringify([null, 1, 'a', { record: {} }, { keptAt: 1 }]),
    JSON.stringify([
      { ...whole, record: { ...first, Message: 5 } },
      { ...whole, tries: '1' },
    ]),
  ]) {
    expect(parseUnsent(stored)).toEqual([])
  }
  expect(parseUnsent(JSON.stringify([null, ...both]))).toEqual(both)
})

test('a message has 20 s for its own attempt, then longer and longer pauses up to 15 min', () => {
  let message = both[0]!
  expect(message.notBefore).toBe(20_000)
  const waits = Array.from({ length: 7 }, () => {
    message = postponed(message, 0, 0)
    return message.notBefore
  })
  expect(waits).toEqual([5000, 15_000, 45_000, 135_000, 405_000, 900_000, 900_000])
})

test('the pause is at least what the server asks for', () => {
  expect(postponed(both[0]!, 1000, 60_000).notBefore).toBe(61_000)
})

test('after 72 hours a message is given up', () => {
  expect(withoutOld(both, 72 * hour)).toEqual(both)
  expect(withoutOld(both, 72 * hour + 1)).toEqual([both[1]])
})

test('a refused message waits for its writer and is not sent again by itself', () => {
  const refused = withChange(both, 'abc123', (each) => ({ ...each, refused: { errors: {} } }))
  expect(sendable(refused)).toEqual([both[1]])
  expect(deliveryOf(refused, 'abc123')).toBe('refused')
  expect(deliveryOf(refused, 'xyz789')).toBe('waiting')
  expect(deliveryOf(withoutMessage(refused, 'abc123'), 'abc123')).toBeNull()
})
