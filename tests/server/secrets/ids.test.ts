import { expect, test } from 'vitest'
import {
  crockford,
  newReference,
  normalReference,
  randomId,
  readable,
} from '#server/secrets/ids.ts'

test('a reference is short, and no sign of it looks like another', () => {
  for (let n = 0; n < 200; n += 1) {
    expect(newReference('B')).toMatch(/^B-[2-9BCDFGHJKMNPQRSTVWXYZ]{8}$/)
    expect(newReference('B')).toMatch(/^[A-Z0-9-]{6,14}$/)
  }
  expect(readable).not.toMatch(/[01OILUAE]/)
  expect(normalReference(' b-7k3m 9qtx\n')).toBe('B-7K3M9QTX')
})

test('every sign comes about as often as the others', () => {
  const drawn = randomId(32_000, crockford)
  for (const sign of crockford) {
    const share = drawn.split(sign).length - 1
    expect(share).toBeGreaterThan(800)
    expect(share).toBeLessThan(1200)
  }
})
