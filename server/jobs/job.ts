/** When a recurring job runs, by the clock and calendar in Helsinki. */
export type Recurrence =
  | { daily: `${number}:${number}` }
  /** At every multiple of some minutes, at most 60. */
  | { everyMinutes: number }

/** One run of a job, as its handler sees it. */
export type JobRun = {
  readonly kind: string
  /** What the job is about; empty for a recurring one. */
  readonly key: string
  /** What was scheduled with it, as plain JSON; parse it with a schema. */
  readonly data: unknown
  /** 1 in the first attempt. */
  readonly attempt: number
  /** When it was to run, in milliseconds of the epoch. */
  readonly dueAt: number
  /** Aborted when the time limit is over or the server stops. */
  readonly signal: AbortSignal
}

/**
 * A kind of job. A run may be repeated after a crash, so the handler makes its change and the mark
 * of it in one transaction, or is harmless when it comes twice.
 */
export type JobDefinition = {
  /** Its name, `noun.verb`. */
  kind: string
  /** What it does, in a line for `jobs list`. */
  about: string
  /** Left out for jobs that are scheduled one by one. */
  recurs?: Recurrence
  /** Minutes for one run, after which it counts as failed; 10 where left out. */
  maxMinutes?: number
  /**
   * False for work that a wrong clock can't make harmful. Every other job waits while the clock is in
   * doubt: it deletes, ends or chases something by date, or might do so one day.
   */
  waitsForTrustedClock?: false
  /** @throws or rejects when the work is not done; it is tried again later */
  run(job: JobRun): void | Promise<void>
}
