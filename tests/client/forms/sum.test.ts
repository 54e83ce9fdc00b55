import { afterEach, expect, test, vi } from 'vitest'
import { sumProblem, sumProof, waitUntilProofIsValid } from '#client/forms/sum.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
})

test('a sum has to be answered, and rightly, where a form has one', () => {
  expect(sumProblem({})).toBeNull()
  expect(sumProblem({ captcha: ' ', x: '2', y: '3' })).toBe(
    'Please answer the verification question',
  )
  expect(sumProblem({ captcha: ' ', x: '2', y: '3' }, { optional: true })).toBeNull()
  expect(sumProblem({ captcha: '6', x: '2', y: '3' }, { optional: true })).toBe(
    'Please check your answer to the verification question',
  )
  expect(sumProblem({ captcha: ' 5 ', x: '2', y: '3' })).toBeNull()
})

test('a form without a proof or an answer has nothing to send', async () => {
  expect(await sumProof({ captcha: '5' })).toBeNull()
  expect(await sumProof({ proof: 'abc', captcha: ' ' })).toBeNull()
})

test('in the browser a proof waits until the server takes it', async () => {
  vi.stubEnv('SSR', false)
  vi.useFakeTimers({ now: 10_000 })
  expect(await waitUntilProofIsValid({ proof: 'abc', cameAt: 7000 }, 5)).toBe('abc.5')
  let sent = ''
  void waitUntilProofIsValid({ proof: 'abc', cameAt: 9000 }, 5).then((value) => (sent = value))
  await vi.advanceTimersByTimeAsync(1999)
  expect(sent).toBe('')
  await vi.advanceTimersByTimeAsync(1)
  expect(sent).toBe('abc.5')
})
