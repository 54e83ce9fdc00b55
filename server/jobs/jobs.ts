import type { Logger } from 'pino'
import type { Commit, Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'
import type { JobDefinition } from './job.ts'
import { firstDue } from './recurrence.ts'
import { createRunner } from './runner.ts'
import { createJobStore, type Job } from './store.ts'

/** A job as `jobs list` shows it. */
export type JobState = Job & {
  readonly state: 'waiting' | 'running' | 'late' | 'retrying' | 'failed'
  /** What its kind does; null when no feature has the kind. */
  readonly about: string | null
}

/** Work that is due at a time, kept in the database until it is done. */
export type Jobs = {
  /**
   * Makes a job due at an instant, or moves the one that there is; belongs into a transaction.
   * @param key what it is about; kind and key together are one job
   * @param dueAt milliseconds of the epoch
   * @param data plain JSON for the handler; ids rather than names and addresses
   */
  schedule(tx: Transaction, kind: string, key: string, dueAt: number, data?: unknown): void
  /** Takes a job back; belongs into a transaction. @returns whether there was one */
  cancel(tx: Transaction, kind: string, key: string): boolean
  find(kind: string, key: string): Job | null
  /** Every job: those that were given up first, then by when they run. */
  list(): JobState[]
  /**
   * Makes jobs due at once; belongs into a transaction.
   * @param which all of a kind, or the one with a key; `onlyFailed` those whose last run failed
   * @returns how many
   */
  makeDue(tx: Transaction, which: { kind: string; key?: string; onlyFailed?: boolean }): number
  /** How many jobs fail again and again, and how many should have run a quarter of an hour ago. */
  problemCounts(): { failing: number; late: number }
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
 * Makes the jobs. Every process may run them: a job is taken with a lease, so that two never run
 * the same one, and its end is marked only after the work, so that a crash repeats it.
 * @param definitions the kinds; asked for once, when the first job may run
 * @param longestSleep milliseconds between two looks for jobs that other processes scheduled
 */
export function createJobs({
  db,
  commit,
  clock,
  log,
  definitions,
  longestSleep = 15_000,
}: {
  db: Database
  commit: Commit
  clock: () => number
  log: Logger
  definitions: () => readonly JobDefinition[]
  longestSleep?: number
}): Jobs {
  const store = createJobStore(db, { clock })
  let known: ReadonlyMap<string, JobDefinition> | null = null
  const kinds = () => (known ??= new Map(definitions().map((each) => [each.kind, each])))

  /** Gives each recurring job its row. */
  const ensure = async () => {
    const recurring = [...kinds().values()].filter(({ recurs }) => recurs)
    await commit((tx) => {
      store.dropUnknown(tx, JSON.stringify([...kinds().keys()]))
      for (const { kind, recurs } of recurring) store.ensure(tx, kind, firstDue(recurs!, clock()))
    })
  }

  const runner = createRunner({ store, kinds, ensure, commit, clock, log, longestSleep })
  const stateOf = (job: Job): JobState['state'] => {
    const now = clock()
    if (job.leasedUntil !== null && job.leasedUntil > now) return 'running'
    if (job.nextAt === null) return 'failed'
    if (job.lastError !== null) return 'retrying'
    return job.nextAt <= now - lateAfter ? 'late' : 'waiting'
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
    makeDue(tx, { kind, key, onlyFailed = false }) {
      setImmediate(runner.wake)
      return store.makeDue(tx, kind, key ?? null, onlyFailed)
    },
    problemCounts: () => store.problemCounts(clock() - lateAfter),
    start: runner.start,
    stop: runner.stop,
    runDue: runner.runDue,
  }
}
