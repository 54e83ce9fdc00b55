import type { Logger } from 'pino'
import { minuteMs } from '#shared/dates/durations.ts'
import type { Commit, Transaction } from '../db/group-commit.ts'
import type { JobDefinition, Recurrence } from './job.ts'
import { nextDue } from './recurrence.ts'
import type { Job } from './schema.ts'
import type { JobStore } from './store.ts'

/** Milliseconds after which another process takes over the job of one that died. */
export const leaseMs = 60_000

/** Minutes to wait after the first failed attempts; an hour after every further one. */
const retryMinutes = [1, 5, 15] as const

/** Milliseconds to the next attempt at most. */
export const maxRetryMs = 60 * minuteMs

/** With {@link retryMinutes}, a job that isn't a recurring one is given up after about two days. */
const maxAttempts = 50

/**
 * Creates the function that runs one leased job, renews its lease meanwhile, and records the outcome.
 * The promise never rejects.
 * @param options `stopping` tells handlers that the server stops
 */
export function createPerform({
  store,
  commit,
  clock,
  isClockTrusted,
  log,
  stopping,
}: {
  store: JobStore
  commit: Commit
  clock: () => number
  isClockTrusted: () => boolean
  log: Logger
  stopping: AbortSignal
}): (job: Job, definition: JobDefinition) => Promise<void> {
  return async (job, definition) => {
    const renewal = setInterval(() => {
      commit((tx) => store.renew(tx, job, leaseMs)).catch(() => {})
    }, leaseMs / 3)
    let end: (tx: Transaction) => void
    const begunAt = clock()
    try {
      await work(definition, job, stopping)
      const nextDueAt = definition.recurs ? dueAfter(definition.recurs, begunAt, clock()) : null
      end = (tx) => store.succeed(tx, job, nextDueAt)
    } catch (error) {
      const wait = (retryMinutes[job.attempts - 1] ?? 60) * minuteMs
      // By a clock that jumps, two days may be a moment.
      const givenUp = !definition.recurs && job.attempts >= maxAttempts && isClockTrusted()
      const { kind, key, attempts } = job
      // The first failures are often a passing fault of another service.
      const level = attempts < 3 ? 'warn' : 'error'
      log[level]({ err: error, job: kind, key, attempts, again: !givenUp }, 'job failed')
      const text = String(error instanceof Error ? error.message : error).slice(0, 500)
      const nextAt = givenUp ? null : clock() + wait
      end = (tx) => store.fail(tx, job, text, nextAt)
    } finally {
      clearInterval(renewal)
    }
    await commit(end).catch((error: unknown) =>
      log.error({ err: error, job: job.kind }, 'job result not saved'),
    )
  }
}

/**
 * When a recurring job is due after a run. A daily one has seen nothing of a day that began while it ran,
 * as on a machine that slept meanwhile, so that day's run is still to come. Every other one would never rest
 * where a run takes longer than its period.
 */
const dueAfter = (recurs: Recurrence, begunAt: number, endedAt: number): number =>
  nextDue(recurs, 'daily' in recurs ? Math.min(begunAt, endedAt) : endedAt)

/** Runs a handler. @throws what it throws, or that its time is over */
async function work(
  { run, maxMinutes = 10 }: JobDefinition,
  job: Job,
  stopping: AbortSignal,
): Promise<void> {
  const late = new AbortController()
  const { kind, key, attempts: attempt, dueAt } = job
  const data: unknown = job.data === null ? null : JSON.parse(job.data)
  const signal = AbortSignal.any([late.signal, stopping])
  let limit: NodeJS.Timeout | undefined
  const isLate = new Promise<never>((_, reject) => {
    limit = setTimeout(() => {
      const error = new Error(`not done after ${maxMinutes} minutes`)
      late.abort(error)
      reject(error)
    }, maxMinutes * minuteMs).unref()
  })
  try {
    await Promise.race([(async () => run({ kind, key, data, attempt, dueAt, signal }))(), isLate])
  } finally {
    clearTimeout(limit)
  }
}
