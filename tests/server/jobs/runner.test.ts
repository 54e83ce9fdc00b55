import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createRunner } from '#server/jobs/runner.ts'
import { eventually } from '../../support/eventually.ts'

test('jobs that can’t be read, as on a full disk, are logged once, then counted, and once they are read again', async () => {
  const lines: { msg: string; err?: object; failures?: number }[] = []
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })
  let [isFull, tries] = [true, 0]
  const runner = createRunner({
    store: { isDue: () => true, lease: () => null, next: () => null } as never,
    kinds: () => new Map(),
    ensure: async () => {},
    commit: async () => {
      tries += 1
      if (isFull) throw new Error('database or disk is full')
      return null as never
    },
    clock: Date.now,
    isClockTrusted: () => true,
    log,
    maxSleepMs: 60_000,
  })
  runner.start()
  await eventually(() => expect(tries).toBe(1))
  for (let count = 2; count <= 120; count += 1) {
    runner.wake()
    await eventually(() => expect(tries).toBeGreaterThanOrEqual(count))
  }
  isFull = false
  runner.wake()
  await eventually(() => expect(lines.at(-1)?.msg).toBe('due jobs read again'))
  await runner.stop()
  expect(lines.map(({ msg, err, failures }) => [msg, Boolean(err), failures])).toEqual([
    ['due jobs not read', true, undefined],
    ['due jobs still not read', false, 60],
    ['due jobs still not read', false, 120],
    ['due jobs read again', false, 120],
  ])
})
