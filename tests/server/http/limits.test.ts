import { afterEach, expect, test, vi } from 'vitest'
import { hourMs } from '#shared/dates/durations.ts'
import { createLimits } from '#server/http/limits/limits.ts'

afterEach(() => void vi.useRealTimers())

test('a clock that is put right by a day makes nobody wait for a day', async () => {
  const limiter = createLimits()({ name: 'pit-lane', seconds: 60, max: 1 })
  await limiter.count('192.0.2.1')
  const now = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: now - 24 * hourMs })
  const refused = await limiter.count('192.0.2.1').then(
    () => null,
    (error: unknown) => error,
  )
  expect(refused).toMatchObject({ failure: 'too-many' })
  const { retryAfter } = refused as { retryAfter: number }
  expect(retryAfter).toBeGreaterThan(0)
  expect(retryAfter).toBeLessThanOrEqual(60)
})

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
