import { expect, test } from 'vitest'
import { createRecentLog } from '#server/logging/recent-log.ts'

const line = (n: number) => `{"n":${n},"text":"${'ä'.repeat(n % 300)}"}`

test('the recent log gives its newest lines, and says how many it no longer has', () => {
  const recentLog = createRecentLog(1000, 'test')
  const pushed: string[] = []
  for (let n = 0; n < 20_000; n += 1) {
    pushed.push(line(n))
    recentLog.push(`${line(n)}\n`, 1)
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

test('lines that were written out together are found one by one', () => {
  const recentLog = createRecentLog(1000, 'test')
  const all: string[] = []
  for (let batch = 0; all.length < 5_000; batch += 1) {
    const lines = Array.from({ length: 1 + ((batch * 7) % 40) }, (_, n) => line(batch + n))
    all.push(...lines)
    recentLog.push(lines.map((each) => `${each}\n`).join(''), lines.length)
    const place = Math.max(0, all.length - 3)
    expect(recentLog.since(place)).toEqual({
      lines: all.slice(place),
      from: place,
      next: all.length,
      missed: 0,
    })
  }
  expect(recentLog.since(0)).toEqual({
    lines: all.slice(-1000),
    from: all.length - 1000,
    next: all.length,
    missed: all.length - 1000,
  })
})
