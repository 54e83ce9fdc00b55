import { expect, test } from 'vitest'
import type { JobDefinition, JobRun } from '#server/jobs/job.ts'
import { eventually } from '../../support/eventually.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { startSite, type Site } from '../../support/site.ts'

const minute = 60_000
const hour = 60 * minute

/** A site whose only jobs beside its own are the given ones; nothing runs by itself. */
const siteWith = (jobs: JobDefinition[], options: Parameters<typeof startSite>[0] = {}) =>
  startSite({ sending: false, features: [() => ({ name: 'pit', jobs })], ...options })

/** A kind of job that writes down its runs, and fails as often as it is told. */
function recorded(kind: string, rest: Partial<JobDefinition> = {}) {
  const runs: JobRun[] = []
  const it = {
    runs,
    fails: 0,
    keys: () => runs.map(({ key }) => key),
    definition: {
      kind,
      about: 'a test',
      run(job: JobRun) {
        runs.push(job)
        if (it.fails > 0) {
          it.fails -= 1
          throw new Error('flat tyre')
        }
      },
      ...rest,
    } satisfies JobDefinition,
  }
  return it
}

const schedule = (site: Site, kind: string, key: string, dueAt: number, data?: unknown) =>
  site.context.commit((tx) => site.context.jobs.schedule(tx, kind, key, dueAt, data))

const stateOf = ({ context }: Site, kind: string, key = '') =>
  context.jobs.list().find((job) => job.kind === kind && job.key === key)?.state

test('a job runs once, when its time has come, with what was scheduled', async () => {
  const stop = recorded('pit.stop')
  await using site = await siteWith([stop.definition])
  const dueAt = site.clock() + hour
  await schedule(site, 'pit.stop', 'car 7', dueAt, { tyres: 'soft' })
  site.clock.advance(hour - 1)
  await site.context.jobs.runDue()
  expect(stop.runs).toEqual([])
  site.clock.advance(1)
  await site.context.jobs.runDue()
  await site.context.jobs.runDue()
  expect(stop.runs).toMatchObject([
    { kind: 'pit.stop', key: 'car 7', data: { tyres: 'soft' }, attempt: 1, dueAt },
  ])
  expect(site.context.jobs.find('pit.stop', 'car 7')).toBeNull()
})

test('scheduling again moves a job, cancelling takes it back, and a rollback changes nothing', async () => {
  const stop = recorded('pit.stop')
  await using site = await siteWith([stop.definition])
  const { commit, jobs } = site.context
  await schedule(site, 'pit.stop', 'moved', site.clock() + minute)
  await schedule(site, 'pit.stop', 'moved', site.clock() + hour)
  await schedule(site, 'pit.stop', 'cancelled', site.clock() + minute)
  expect(await commit((tx) => jobs.cancel(tx, 'pit.stop', 'cancelled'))).toBe(true)
  await expect(
    commit((tx) => {
      jobs.schedule(tx, 'pit.stop', 'never', site.clock())
      throw new Error('collision')
    }),
  ).rejects.toThrow('collision')
  site.clock.advance(minute)
  await jobs.runDue()
  expect(stop.keys()).toEqual([])
  site.clock.advance(hour)
  await jobs.runDue()
  expect(stop.keys()).toEqual(['moved'])
})

test('a job may schedule itself anew while it runs', async () => {
  const seen: number[] = []
  await using site = await startSite({
    sending: false,
    features: [
      ({ jobs, commit, clock }) => ({
        name: 'pit',
        jobs: [
          {
            kind: 'pit.lap',
            about: 'laps',
            run: ({ key, dueAt }) => {
              seen.push(dueAt)
              return commit((tx) => jobs.schedule(tx, 'pit.lap', key, clock() + minute))
            },
          },
        ],
      }),
    ],
  })
  const start = site.clock()
  await schedule(site, 'pit.lap', 'car 7', start)
  await site.context.jobs.runDue()
  site.clock.advance(minute)
  await site.context.jobs.runDue()
  expect(seen).toEqual([start, start + minute])
  expect(stateOf(site, 'pit.lap', 'car 7')).toBe('waiting')
})

test('a failing job is tried again later and holds up no other', async () => {
  const stop = recorded('pit.stop')
  const fuel = recorded('pit.fuel')
  stop.fails = 2
  await using site = await siteWith([stop.definition, fuel.definition])
  await schedule(site, 'pit.stop', 'car 7', site.clock())
  await schedule(site, 'pit.fuel', 'car 7', site.clock() + 1)
  site.clock.advance(1)
  await site.context.jobs.runDue()
  expect(fuel.runs).toHaveLength(1)
  expect(site.context.jobs.find('pit.stop', 'car 7')).toMatchObject({
    attempts: 1,
    lastError: 'flat tyre',
    nextAt: site.clock() + minute,
  })
  expect(stateOf(site, 'pit.stop', 'car 7')).toBe('retrying')
  for (const wait of [minute, 5 * minute]) {
    site.clock.advance(wait)
    await site.context.jobs.runDue()
  }
  expect(stop.runs.map(({ attempt }) => attempt)).toEqual([1, 2, 3])
  expect(site.context.jobs.find('pit.stop', 'car 7')).toBeNull()
})

test('a job that fails for two days is given up, seen everywhere, and run again on demand', async () => {
  const stop = recorded('pit.stop')
  stop.fails = 50
  await using site = await siteWith([stop.definition])
  await schedule(site, 'pit.stop', 'car 7', site.clock())
  for (let tries = 0; tries < 50; tries += 1) {
    await site.context.jobs.runDue()
    site.clock.advance(hour)
  }
  expect(stateOf(site, 'pit.stop', 'car 7')).toBe('failed')
  await site.context.jobs.runDue()
  expect(stop.runs).toHaveLength(50)
  expect((await site.get('/api/health')).json).toMatchObject({
    status: 'degraded',
    jobs: 'failing',
  })
  expect(await runOn(site, 'doctor')).toContain('warn jobs: 1 keep failing')
  expect(await runOn(site, 'jobs', 'list', '--failed')).toMatch(/pit\.stop +car 7 +failed +never/)
  expect(await runOn(site, 'jobs', 'retry', 'pit.stop')).toContain('1 job queued')
  await site.context.jobs.runDue()
  expect(stop.runs).toHaveLength(51)
  expect(site.context.jobs.problemCounts().failing).toBe(0)
})

test('a daily job is done when its work is: a day on which it failed is made up for', async () => {
  const wash = recorded('pit.wash', { recurs: { daily: '06:30' } })
  await using site = await siteWith([wash.definition])
  // It is 14.00: today's washing was due in the morning.
  wash.fails = 1
  await site.context.jobs.runDue()
  site.clock.advance(minute)
  await site.context.jobs.runDue()
  expect(wash.runs.map(({ attempt }) => attempt)).toEqual([1, 2])
  await site.context.jobs.runDue()
  expect(wash.runs).toHaveLength(2)
  const next = site.context.jobs.find('pit.wash', '')
  expect(new Date(next!.dueAt).toISOString()).toBe('2026-11-21T04:30:00.000Z')
  expect(next!.lastSuccessAt).toBe(site.clock())
  site.clock.advance(3 * 24 * hour)
  await site.context.jobs.runDue()
  // Three days without a server are made up for once.
  expect(wash.runs).toHaveLength(3)
})

test('a daily run during which days go by makes up for them once', async () => {
  const begun: number[] = []
  const wash = recorded('pit.wash', {
    recurs: { daily: '06:30' },
    run() {
      begun.push(site.clock())
      // The machine sleeps through the weekend.
      if (begun.length === 1) site.clock.advance(3 * 24 * hour)
    },
  })
  await using site: Site = await siteWith([wash.definition])
  const friday = site.clock()
  await site.context.jobs.runDue()
  expect(begun).toEqual([friday, friday + 3 * 24 * hour])
  const next = site.context.jobs.find('pit.wash', '')
  expect(new Date(next!.dueAt).toISOString()).toBe('2026-11-24T04:30:00.000Z')
})

test('a run that takes longer than its minutes is not begun again before its next time', async () => {
  const fuel = recorded('pit.fuel', {
    recurs: { everyMinutes: 5 },
    run: () => site.clock.advance(7 * minute),
  })
  await using site: Site = await siteWith([fuel.definition])
  const start = site.clock()
  await site.context.jobs.runDue()
  expect(site.clock()).toBe(start + 7 * minute)
  expect(site.context.jobs.find('pit.fuel', '')).toMatchObject({ dueAt: start + 10 * minute })
})

test('a handler that never ends is cut off and leaves the others their turn', async () => {
  const fuel = recorded('pit.fuel')
  const stuck: JobDefinition = {
    kind: 'pit.stuck',
    about: 'hangs',
    maxMinutes: 0.001,
    run: () => new Promise(() => {}),
  }
  await using site = await siteWith([stuck, fuel.definition])
  await schedule(site, 'pit.stuck', '', site.clock())
  await schedule(site, 'pit.fuel', 'car 7', site.clock())
  await site.context.jobs.runDue()
  expect(fuel.runs).toHaveLength(1)
  expect(site.context.jobs.find('pit.stuck', '')?.lastError).toContain('not done after')
})

test('two processes on one database run each job once', async () => {
  const stop = recorded('pit.stop')
  const features = [() => ({ name: 'pit', jobs: [stop.definition] })]
  await using first = await startSite({ features })
  await using second = await startSite({ features, dataDir: first.dataDir, clock: first.clock })
  const keys = Array.from({ length: 40 }, (_, n) => `car ${n}`)
  await first.context.commit((tx) => {
    for (const key of keys) first.context.jobs.schedule(tx, 'pit.stop', key, first.clock())
  })
  await eventually(() => expect(stop.runs.length).toBeGreaterThanOrEqual(40))
  await Promise.all([first.context.jobs.runDue(), second.context.jobs.runDue()])
  expect(stop.keys().toSorted()).toEqual(keys.toSorted())
})

test('the job of a process that died is taken over when its lease ends', async () => {
  const stop = recorded('pit.stop')
  await using dead = await siteWith([stop.definition])
  await schedule(dead, 'pit.stop', 'car 7', dead.clock())
  // As a process does that is killed while the job runs.
  await dead.context.commit((tx) =>
    dead.context.db
      .prepareWrite('UPDATE jobs SET leased_until = ?, attempts = 1')
      .run(tx, dead.clock() + minute),
  )
  expect(stateOf(dead, 'pit.stop', 'car 7')).toBe('running')
  await using heir = await siteWith([stop.definition], {
    dataDir: dead.dataDir,
    clock: dead.clock,
  })
  await heir.context.jobs.runDue()
  expect(stop.runs).toEqual([])
  heir.clock.advance(minute)
  await heir.context.jobs.runDue()
  expect(stop.runs).toMatchObject([{ attempt: 2 }])
})

test('a due job that is not run is late', async () => {
  const stop = recorded('pit.stop')
  await using site = await siteWith([stop.definition])
  await schedule(site, 'pit.stop', 'car 7', site.clock())
  site.clock.advance(16 * minute)
  expect(stateOf(site, 'pit.stop', 'car 7')).toBe('late')
  expect((await site.get('/api/health')).json).toMatchObject({ jobs: 'late' })
  expect(await runOn(site, 'doctor')).toContain('warn jobs: 1 overdue')
})

test('a job is run at once on demand, and an unknown one is refused', async () => {
  const wash = recorded('pit.wash', { recurs: { daily: '06:30' } })
  await using site = await siteWith([wash.definition])
  await site.context.jobs.runDue()
  expect(await runOn(site, 'jobs', 'run', 'pit.wash')).toContain('1 job queued')
  await site.context.jobs.runDue()
  expect(wash.runs).toHaveLength(2)
  await expect(runOn(site, 'jobs', 'run', 'pit.nothing')).rejects.toThrow('Job not found')
})

test('a job that runs is not run again on demand, and its end is noted', async () => {
  let finish = () => {}
  let runs = 0
  const long: JobDefinition = {
    kind: 'pit.long',
    about: 'takes until it is told',
    recurs: { daily: '06:30' },
    run: () => {
      runs += 1
      return new Promise((resolve) => (finish = resolve))
    },
  }
  await using site = await siteWith([long])
  const run = site.context.jobs.runDue()
  await eventually(() => expect(stateOf(site, 'pit.long')).toBe('running'))
  for (const again of ['run', 'retry']) {
    await expect(runOn(site, 'jobs', again, 'pit.long')).rejects.toThrow(
      again === 'run' ? 'Already running: pit.long.' : 'No failed jobs',
    )
  }
  finish()
  await run
  expect(runs).toBe(1)
  expect(stateOf(site, 'pit.long')).toBe('waiting')
  expect(site.context.jobs.find('pit.long', '')!.lastSuccessAt).toBe(site.clock())
})

test('a job scheduled by another process is run without a wake', async () => {
  const stop = recorded('pit.stop')
  const features = [() => ({ name: 'pit', jobs: [stop.definition] })]
  await using sleeper = await startSite({ features, sending: false })
  await using worker = await startSite({ features, dataDir: sleeper.dataDir, clock: sleeper.clock })
  await schedule(sleeper, 'pit.stop', 'car 7', sleeper.clock() + hour)
  worker.clock.advance(hour)
  await eventually(() => expect(stop.keys()).toEqual(['car 7']))
})

test('what is due is done once a job that already ran has ended, with what that one left to do', async () => {
  const release = Promise.withResolvers<void>()
  const ran: string[] = []
  const last: JobDefinition = {
    kind: 'pit.last',
    about: 'takes a moment',
    async run({ key }) {
      await new Promise((resolve) => setTimeout(resolve, 50))
      ran.push(key)
    },
  }
  let site: Site | null = null
  const first: JobDefinition = {
    kind: 'pit.first',
    about: 'leaves more to do',
    async run() {
      await release.promise
      await schedule(site!, 'pit.last', 'car 7', site!.clock())
    },
  }
  await using opened = await siteWith([first, last], { sending: true })
  site = opened
  // What a start brings isn't the subject.
  await site.context.jobs.runDue()
  await schedule(site, 'pit.first', '', site.clock())
  await eventually(() => expect(stateOf(opened, 'pit.first')).toBe('running'))
  const done = site.context.jobs.runDue()
  // It has looked once this is written, and found nothing but the one that runs.
  await site.context.commit(() => {})
  release.resolve()
  await done
  expect(ran).toEqual(['car 7'])
})

test('stopping aborts running jobs and waits for them', async () => {
  let ended = false
  const slow: JobDefinition = {
    kind: 'pit.slow',
    about: 'takes until it is told',
    run: ({ signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          ended = true
          resolve()
        })
      }),
  }
  await using site = await siteWith([slow], { sending: true })
  await schedule(site, 'pit.slow', '', site.clock())
  await eventually(() => expect(stateOf(site, 'pit.slow')).toBe('running'))
  await site.context.jobs.stop()
  expect(ended).toBe(true)
  expect(site.context.jobs.find('pit.slow', '')).toBeNull()
})
