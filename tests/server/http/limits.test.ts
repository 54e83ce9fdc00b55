import { afterEach, expect, test, vi } from 'vitest'
import { hourMs } from '#shared/dates/durations.ts'
import { createAttempts } from '#server/http/limits/attempts.ts'
import { createLimits, createQuota } from '#server/http/limits/limits.ts'

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

test('who mistyped a code while the clock was years ahead waits for minutes once it is put right', () => {
  let now = Date.parse('2029-11-28T12:00:00Z')
  const alerts: number[] = []
  const attempts = createAttempts({
    secrets: 'codes',
    clock: () => now,
    alert: (failures) => void alerts.push(now + failures),
    alertAt: 5,
  })
  const fail = () => {
    attempts.begin('192.0.2.1')
    attempts.failed()
  }
  for (let count = 0; count < 8; count += 1) fail()
  expect(() => attempts.begin('192.0.2.1')).toThrow('Too many wrong codes.')
  expect(alerts).toHaveLength(1)
  now = Date.parse('2026-11-28T12:00:00Z')
  expect(() => attempts.begin('192.0.2.1')).toThrow('Please wait 2 seconds')
  now += 5_000
  fail()
  // Someone who guesses now is told of now, not in three years.
  expect(alerts).toHaveLength(2)
})

test('a quota used up while the clock was years ahead is full again a window after it is put right', () => {
  let now = Date.parse('2029-11-28T12:00:00Z')
  const quota = createQuota({ max: 1, seconds: 3600, clock: () => now })
  quota.take('network')
  now = Date.parse('2026-11-28T12:00:00Z')
  expect(quota.take('network')).toBe(3600)
  now += hourMs
  expect(quota.take('network')).toBe(0)
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
