import type { Logger } from 'pino'
import type { Commit } from '../db/group-commit.ts'
import { waitAtMost } from '../concurrency/timeout.ts'
import type { JobDefinition } from './job.ts'
import { createPerform, leaseMs } from './perform.ts'
import type { JobStore } from './store.ts'

/** Jobs that run at the same time, so a slow one does not hold up the others. */
const maxRunning = 4

/** Milliseconds between two tries when the database could not be used. */
const retryPauseMs = 1_000

/** Retries, a minute's, after which the log says again that they fail. */
const retriesToTell = 60

/** Milliseconds that a stop waits for jobs that run. */
const stopTimeout = 4_000

type RunnerDeps = {
  store: JobStore
  /** The kinds that may run now. */
  kinds: () => ReadonlyMap<string, JobDefinition>
  /** Gives recurring jobs their rows. */
  ensure: () => Promise<void>
  commit: Commit
  clock: () => number
  isClockTrusted: () => boolean
  log: Logger
  maxSleepMs: number
}

/** Creates the runner, which runs due jobs and sleeps until the next one. */
export function createRunner(deps: RunnerDeps) {
  const { ensure, clock, log, maxSleepMs } = deps
  const runs = createRuns(deps)
  let started = false
  let timer: NodeJS.Timeout | undefined
  let taking = false
  let lookAgain = false
  /** Looks in a row that have failed, as all do while the disk is full. */
  let failures = 0

  /** Begins what is due and sets the timer for what comes next. */
  const look = async (): Promise<void> => {
    if (!started) return
    if (taking) {
      lookAgain = true
      return
    }
    taking = true
    clearTimeout(timer)
    let sleep = maxSleepMs
    try {
      do {
        lookAgain = false
        for (;;) {
          const begun = started && !runs.areFull() ? await runs.begin() : null
          if (!begun) break
          void begun.run.then(look)
        }
      } while (lookAgain)
      const next = runs.nextAt()
      if (next !== null) sleep = Math.min(maxSleepMs, Math.max(10, next - clock()))
      // A place becomes free only by the end of a run, which looks again.
      if (runs.areFull()) sleep = maxSleepMs
      if (failures > 0) log.info({ failures }, 'due jobs read again')
      failures = 0
    } catch (error) {
      failures += 1
      if (failures === 1) log.warn({ err: error }, 'due jobs not read')
      else if (failures % retriesToTell === 0) log.warn({ failures }, 'due jobs still not read')
      sleep = retryPauseMs
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
        .catch((error: unknown) => log.error({ err: error }, 'recurring jobs not scheduled'))
        .finally(() => void look())
    },
    async stop(): Promise<void> {
      started = false
      clearTimeout(timer)
      await waitAtMost(runs.stop(), stopTimeout)
    },
    async runDue(): Promise<number> {
      await ensure()
      for (let count = 0; ;) {
        const begun = await runs.begin()
        if (begun) {
          await begun.run
          count += 1
        } else if (runs.areIdle()) {
          return count
        } else {
          // One that runs already may leave more to do.
          await runs.ended()
        }
      }
    },
  }
}

/** Creates the starter of jobs, which tracks the running ones. */
function createRuns({
  store,
  kinds,
  commit,
  clock,
  isClockTrusted,
  log,
}: Omit<RunnerDeps, 'ensure' | 'maxSleepMs'>) {
  const running = new Map<number, Promise<void>>()
  const stopping = new AbortController()
  const perform = createPerform({
    store,
    commit,
    clock,
    isClockTrusted,
    log,
    stopping: stopping.signal,
  })
  const names = () => JSON.stringify([...kinds().keys()])
  const busy = () => JSON.stringify([...running.keys()])
  const ended = () => Promise.all(running.values())

  return {
    ended,
    areFull: () => running.size >= maxRunning,
    areIdle: () => running.size === 0,

    /** Takes the next job that is due and begins it. @returns its run, or null when none is due */
    async begin(): Promise<{ run: Promise<void> } | null> {
      const allowed = kinds()
      const runnable = JSON.stringify([...allowed.keys()])
      if (!store.isDue(runnable, busy())) return null
      const job = await commit((tx) => store.lease(tx, leaseMs, runnable, busy()))
      if (!job) return null
      const run = perform(job, allowed.get(job.kind)!).finally(() => running.delete(job.id))
      running.set(job.id, run)
      return { run }
    },

    /** When the next of the others can be taken; null when there is none. */
    nextAt: () => store.next(names(), busy()),

    /** Tells those that run to stop. Resolves when they have ended. */
    stop() {
      stopping.abort()
      return ended()
    },
  }
}
