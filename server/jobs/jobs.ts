import type { Logger } from 'pino'
import { failure } from '#shared/failures.ts'
import type { Commit, Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'
import type { JobDefinition } from './job.ts'
import { firstDue, nextDue } from './recurrence.ts'
import { leaseMs, maxRetryMs } from './perform.ts'
import { createRunner } from './runner.ts'
import type { Job } from './schema.ts'
import { createJobStore } from './store.ts'
import { siteAct, type Timeline } from '../timeline/timeline.ts'

/** A job as `jobs list` shows it. */
export type JobState = Job & {
  readonly state: 'waiting' | 'running' | 'late' | 'retrying' | 'failed'
  /** What its kind does; null when no feature has the kind. */
  readonly about: string | null
}

/** Work that is due at a time, kept in the database until it is done. */
export type Jobs = {
  /**
   * Makes a job due at an instant, or moves the one that there is. Call inside a transaction.
   * @param key what it is about; kind and key together are one job
   * @param dueAt milliseconds of the epoch
   * @param data plain JSON for the handler; ids rather than names and addresses
   */
  schedule(tx: Transaction, kind: string, key: string, dueAt: number, data?: unknown): void
  /** Takes a job back. Call inside a transaction. @returns whether there was one */
  cancel(tx: Transaction, kind: string, key: string): boolean
  find(kind: string, key: string): Job | null
  /** Every job: those that were given up first, then by when they run. */
  list(): JobState[]
  /**
   * Makes jobs due at once, for the server to run; those that it's running go on as they are.
   * @param which all of a kind, or the one with a key
   * @returns how many
   * @throws missing when there is none; wrong-state when all of them are running
   */
  makeDue(which: { kind: string; key?: string | undefined }, by: string): Promise<number>
  /**
   * Makes failed jobs due at once, except those that are being tried again.
   * @param which those of a kind or of `all` kinds, or the one with a key
   * @returns how many
   * @throws missing when no job of a named kind has failed
   */
  retry(which: { kind: string; key?: string | undefined }, by: string): Promise<number>
  /**
   * How many jobs fail again and again, and how many should have run a quarter of an hour ago. Those
   * that wait for a trusted clock aren't late.
   */
  problemCounts(): { failing: number; late: number }
  /**
   * Brings due times back that a wrong clock has set: a recurring job is due one period from now at the
   * latest, and a lease or retry no later than it could be. Call inside a transaction.
   */
  mendDueTimes(tx: Transaction): void
  /** Begins to run what is due. Twice is harmless. */
  start(): void
  /** Begins no further job and waits a few seconds for those that run. */
  stop(): Promise<void>
  /** Runs everything that is due now, one after the other; for tests. @returns how many ran */
  runDue(): Promise<number>
}

/** Milliseconds after which a job that has not begun is late. */
const lateAfter = 15 * 60_000

/**
 * Makes the jobs. Every process may run them: a job is taken with a lease, so two never run
 * the same one, and its end is marked only after the work, so a crash repeats it.
 * @param definitions the kinds; asked for once, when the first job may run
 * @param maxSleepMs milliseconds between two looks for jobs that other processes scheduled
 */
export function createJobs({
  db,
  commit,
  clock,
  isClockTrusted,
  log,
  definitions,
  timeline,
  maxSleepMs = 15_000,
}: {
  db: Database
  commit: Commit
  clock: () => number
  isClockTrusted: () => boolean
  log: Logger
  definitions: () => readonly JobDefinition[]
  timeline: Pick<Timeline, 'record'>
  maxSleepMs?: number
}): Jobs {
  const store = createJobStore(db, { clock })
  let known: ReadonlyMap<string, JobDefinition> | null = null
  const kinds = () => (known ??= new Map(definitions().map((each) => [each.kind, each])))
  /** The kinds that may run now: with a clock in doubt, only those that it can't make harmful. */
  const runnable = (): ReadonlyMap<string, JobDefinition> =>
    isClockTrusted()
      ? kinds()
      : new Map([...kinds()].filter(([, each]) => each.waitsForTrustedClock === false))

  /** Gives each recurring job its row. */
  const ensure = async () => {
    const recurring = [...kinds().values()].filter(({ recurs }) => recurs)
    await commit((tx) => {
      store.dropUnknown(tx, JSON.stringify([...kinds().keys()]))
      for (const { kind, recurs } of recurring) store.ensure(tx, kind, firstDue(recurs!, clock()))
      mendDueTimes(tx)
    })
  }
  const mendDueTimes = (tx: Transaction) => {
    const now = clock()
    store.mendTimes(tx, { now, maxLeaseMs: leaseMs, maxRetryMs })
    for (const { kind, recurs } of kinds().values()) {
      if (recurs) store.mendRecurring(tx, kind, nextDue(recurs, now))
    }
  }

  const runner = createRunner({
    store,
    kinds: runnable,
    ensure,
    commit,
    clock,
    isClockTrusted,
    log,
    maxSleepMs,
  })
  const waitsForClock = (kind: string) => kinds().has(kind) && !runnable().has(kind)
  const stateOf = (job: Job): JobState['state'] => {
    const now = clock()
    if (job.leasedUntil !== null && job.leasedUntil > now) return 'running'
    if (job.nextAt === null) return 'failed'
    if (job.lastError !== null) return 'retrying'
    return job.nextAt <= now - lateAfter && !waitsForClock(job.kind) ? 'late' : 'waiting'
  }

  return {
    schedule(tx, kind, key, dueAt, data = null) {
      store.schedule(tx, kind, key, dueAt, data)
      // The transaction ends in this turn of the event loop.
      setImmediate(runner.wake)
    },
    cancel: store.cancel,
    find: store.find,
    list: () =>
      store.list().map((job) => ({
        ...job,
        state: stateOf(job),
        about: kinds().get(job.kind)?.about ?? null,
      })),
    async makeDue({ kind, key }, by) {
      const count = await commit((tx) => {
        const due = store.makeDue(tx, kind, key ?? null, false)
        if (due > 0) timeline.record(tx, madeDue('run', { kind, key, by }))
        return due
      })
      if (count === 0) {
        const name = [kind, key].join(' ').trim()
        const isRunning = store
          .list()
          .some((job) => job.kind === kind && (key === undefined || job.key === key))
        if (isRunning) throw failure('wrong-state', { message: `Already running: ${name}.` })
        throw failure('missing', { message: `Job not found: ${name}.` })
      }
      runner.wake()
      return count
    },
    async retry({ kind, key }, by) {
      const all = kind === 'all' ? [...new Set(store.list().map((job) => job.kind))] : [kind]
      const count = await commit((tx) => {
        const due = all.reduce((sum, each) => sum + store.makeDue(tx, each, key ?? null, true), 0)
        if (due > 0) timeline.record(tx, madeDue('retried', { kind, key, by }))
        return due
      })
      if (count === 0 && kind !== 'all') {
        throw failure('missing', { message: `No failed jobs of kind ${kind}.` })
      }
      runner.wake()
      return count
    },
    problemCounts: () => {
      const waiting = [...kinds().keys()].filter(waitsForClock)
      return store.problemCounts(clock() - lateAfter, JSON.stringify(waiting))
    },
    mendDueTimes,
    start: runner.start,
    stop: runner.stop,
    runDue: runner.runDue,
  }
}

/** What staff did with jobs, for the timeline. */
const madeDue = (
  act: string,
  { kind, key, by }: { kind: string; key: string | undefined; by: string },
) => siteAct('jobs', { actor: by, act, note: [kind, key].filter(Boolean).join(' ') })
