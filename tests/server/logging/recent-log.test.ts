import { expect, test } from 'vitest'
import { createRecentLog } from '#server/logging/recent-log.ts'

const line = (n: number) => `{"n":${n},"text":"${'ä'.repeat(n % 300)}"}`

test('the recent log gives its newest lines, and says how many it no longer has', () => {
  const recentLog = createRecentLog(1000, 'test')
  const pushed: string[] = []
  for (let n = 0; n < 20_000; n += 1) {
    pushed.push(line(n))
    recentLog.push(line(n))
    if (n % 997 === 0) expect(recentLog.since(n).lines).toEqual([line(n)])
  }
  expect(recentLog.end()).toBe(20_000)
  expect(recentLog.since(0)).toEqual({
    lines: pushed.slice(-1000),
    from: 19_000,
    next: 20_000,
    missed: 19_000,
  })
  expect(recentLog.since(19_998).lines).toEqual(pushed.slice(-2))
  expect(recentLog.since(30_000)).toMatchObject({ lines: [], next: 20_000, missed: 0 })
})
