import { expect, test } from 'vitest'
import { createLimits } from '#server/http/limits/limits.ts'

test('a name is one limit, and never two with different numbers', () => {
  const limit = createLimits()
  const rule = { name: 'wheels', seconds: 60, max: 5 }
  expect(limit({ ...rule })).toBe(limit(rule))
  expect(limit('read')).toBe(limit('read'))
  expect(() => limit({ ...rule, max: 6 })).toThrow('Two limits are named wheels.')
  for (const more of [{ onlySuccessful: true }, { onlyUnsafe: true }]) {
    expect(() => limit({ ...rule, ...more })).toThrow('Two limits are named wheels.')
  }
  expect(limit({ ...rule, onlyUnsafe: false })).toBe(limit(rule))
  expect(() => limit({ ...rule, name: 'read' })).toThrow('Two limits are named read.')
  // Each app counts for itself.
  expect(createLimits()('read')).not.toBe(limit('read'))
})
