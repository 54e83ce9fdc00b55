import { setImmediate } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createRunner } from '#server/jobs/runner.ts'
import { createJobStore } from '#server/jobs/store.ts'
import { eventually } from '../../support/eventually.ts'
import { runSql } from '../../support/raw-database.ts'
import { startSite } from '../../support/site.ts'

test('jobs that can’t be read, as on a full disk, are logged once, then counted, and once they are read again', async () => {
  await using site = await startSite({ sending: false })
  const { db, commit, clock } = site.context
  const lines: { msg: string; err?: object; failures?: number }[] = []
  const runner = createRunner({
    store: createJobStore(db, { clock }),
    kinds: () => new Map(),
    ensure: async () => {},
    commit,
    clock,
    isClockTrusted: () => true,
    log: pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) }),
    maxSleepMs: 60_000,
  })
  runSql(site.dataDir, 'ALTER TABLE jobs RENAME TO jobs_away')
  runner.start()
  while (lines.at(-1)?.failures !== 120) {
    runner.wake()
    await setImmediate()
  }
  runSql(site.dataDir, 'ALTER TABLE jobs_away RENAME TO jobs')
  runner.wake()
  await eventually(() => expect(lines.at(-1)?.msg).toBe('due jobs read again'))
  await runner.stop()
  expect(lines.at(-1)!.failures).toBeGreaterThanOrEqual(120)
  expect(lines.slice(0, -1).map(({ msg, err, failures }) => [msg, Boolean(err), failures])).toEqual(
    [
      ['due jobs not read', true, undefined],
      ['due jobs still not read', false, 60],
      ['due jobs still not read', false, 120],
    ],
  )
})
