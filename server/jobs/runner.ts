import type { Logger } from 'pino'
import type { Commit, Transaction } from '../db/group-commit.ts'
import type { JobDefinition } from './job.ts'
import { nextDue } from './recurrence.ts'
import type { Job, JobStore } from './store.ts'

const minute = 60_000

/** Jobs that run at the same time, so that a slow one does not hold up the others. */
const most = 4

/** Milliseconds after which another process takes over the job of one that died. */
const leaseMs = 60_000

/** Minutes to wait after the first failed attempts; an hour after every further one. */
const waits = [1, 5, 15] as const

/** With {@link waits}, a job that is no recurring one is given up after about two days. */
const mostAttempts = 50

/** Milliseconds between two tries when the database could not be used. */
const pause = 1_000

/**
 * Makes what takes jobs that are due and runs them. It sleeps until the next one is due.
 * @param ensure gives recurring jobs their rows
 */
export function createRunner({
  store,
  kinds,
  ensure,
  commit,
  clock,
  log,
  longestSleep,
}: {
  store: JobStore
  kinds: () => ReadonlyMap<string, JobDefinition>
  ensure: () => Promise<void>
  commit: Commit
  clock: () => number
  log: Logger
  longestSleep: number
}) {
  const running = new Map<number, Promise<void>>()
  const stopping = new AbortController()
  let started = false
  let timer: NodeJS.Timeout | undefined
  let taking = false
  let again = false

  const names = () => JSON.stringify([...kinds().keys()])
  const busy = () => JSON.stringify([...running.keys()])

  /** Takes the next job that is due and begins it. @returns its run, or null when none is due */
  const begin = async (): Promise<{ run: Promise<void> } | null> => {
    if (!store.isDue(names(), busy())) return null
    const job = await commit((tx) => store.lease(tx, leaseMs, names(), busy()))
    if (!job) return null
    const run = perform(job).finally(() => running.delete(job.id))
    running.set(job.id, run)
    return { run }
  }

  const perform = async (job: Job): Promise<void> => {
    const definition = kinds().get(job.kind)!
    const renewal = setInterval(() => {
      commit((tx) => store.renew(tx, job, leaseMs)).catch(() => {})
    }, leaseMs / 3)
    let end: (tx: Transaction) => void
    try {
      await work(definition, job)
      const nextDueAt = definition.recurs ? nextDue(definition.recurs, clock()) : null
      end = (tx) => store.succeed(tx, job, nextDueAt)
    } catch (error) {
      const wait = (waits[job.attempts - 1] ?? 60) * minute
      const givenUp = !definition.recurs && job.attempts >= mostAttempts
      const { kind, key, attempts } = job
      // The first failures are often a passing one of somebody else.
      const level = attempts < 3 ? 'warn' : 'error'
      log[level]({ err: error, job: kind, key, attempts, again: !givenUp }, 'job failed')
      const text = String(error instanceof Error ? error.message : error).slice(0, 500)
      const nextAt = givenUp ? null : clock() + wait
      end = (tx) => store.fail(tx, job, text, nextAt)
    } finally {
      clearInterval(renewal)
    }
    await commit(end).catch((error: unknown) =>
      log.error({ err: error, job: job.kind }, 'the end of a job could not be written down'),
    )
  }

  /** Runs a handler. @throws what it throws, or that its time is over */
  const work = async ({ run, minutesMost = 10 }: JobDefinition, job: Job): Promise<void> => {
    const late = new AbortController()
    const { kind, key, attempts: attempt, dueAt } = job
    const data: unknown = job.data === null ? null : JSON.parse(job.data)
    const signal = AbortSignal.any([late.signal, stopping.signal])
    let limit: NodeJS.Timeout | undefined
    const isLate = new Promise<never>((_, reject) => {
      limit = setTimeout(() => {
        const error = new Error(`not done after ${minutesMost} minutes`)
        late.abort(error)
        reject(error)
      }, minutesMost * minute).unref()
    })
    try {
      await Promise.race([(async () => run({ kind, key, data, attempt, dueAt, signal }))(), isLate])
    } finally {
      clearTimeout(limit)
    }
  }

  const mayBegin = () => started && running.size < most

  /** Begins what is due and sets the timer for what comes next. */
  const look = async (): Promise<void> => {
    if (!started) return
    if (taking) {
      again = true
      return
    }
    taking = true
    clearTimeout(timer)
    let sleep = longestSleep
    try {
      do {
        again = false
        for (;;) {
          const begun = mayBegin() ? await begin() : null
          if (!begun) break
          void begun.run.then(look)
        }
      } while (again)
      const next = store.next(names(), busy())
      if (next !== null) sleep = Math.min(longestSleep, Math.max(10, next - clock()))
      // A place becomes free only by the end of a run, which looks again.
      if (running.size >= most) sleep = longestSleep
    } catch (error) {
      log.warn({ err: error }, 'jobs could not be looked for')
      sleep = pause
    } finally {
      taking = false
    }
    if (started) timer = setTimeout(() => void look(), sleep).unref()
  }

  return {
    wake: () => void look(),
    start(): void {
      if (started) return
      started = true
      ensure()
        .catch((error: unknown) => log.error({ err: error }, 'recurring jobs could not be set up'))
        .finally(() => void look())
    },
    async stop(): Promise<void> {
      started = false
      clearTimeout(timer)
      stopping.abort()
      const patience = new Promise((resolve) => setTimeout(resolve, 4000).unref())
      await Promise.race([Promise.all(running.values()), patience])
    },
    async runDue(): Promise<number> {
      await ensure()
      for (let count = 0; ; count += 1) {
        const begun = await begin()
        if (!begun) {
          await Promise.all(running.values())
          return count
        }
        await begun.run
      }
    },
  }
}
