import type { Database } from '../db/open.ts'
import type { Transaction } from '../db/group-commit.ts'

/** A row of the jobs. Times are milliseconds of the epoch. */
export type Job = {
  readonly id: number
  readonly kind: string
  readonly key: string
  /** JSON. */
  readonly data: string | null
  /** When it was to run. */
  readonly dueAt: number
  /** When it may be taken next; null once it has been given up. */
  readonly nextAt: number | null
  readonly leasedUntil: number | null
  /** Since the last success. */
  readonly attempts: number
  readonly revision: number
  readonly lastError: string | null
  readonly lastErrorAt: number | null
  readonly lastSuccessAt: number | null
}

/** The jobs' rows; the only place with their SQL. What changes something belongs into a transaction. */
export type JobStore = ReturnType<typeof createJobStore>

const columns = `id, kind, key, data, due_at AS dueAt, next_at AS nextAt,
  leased_until AS leasedUntil, attempts, revision, last_error AS lastError,
  last_error_at AS lastErrorAt, last_success_at AS lastSuccessAt`

/** Prepares the statements of the jobs. */
export function createJobStore(db: Database, { clock }: { clock: () => number }) {
  const one = db.prepare(`SELECT ${columns} FROM jobs WHERE kind = :kind AND key = :key`)
  const all = db.prepare(`SELECT ${columns} FROM jobs ORDER BY next_at IS NULL DESC, next_at, id`)
  const problemCounts = db.prepare(`SELECT
    (SELECT count(*) FROM jobs WHERE next_at IS NULL OR attempts >= 3) AS failing,
    (SELECT count(*) FROM jobs WHERE next_at <= :late
      AND (leased_until IS NULL OR leased_until <= :now)) AS late`)

  return {
    ...createSchedule(db, clock),
    ...createLeases(db, clock),
    ...createLeaseEnds(db, clock),
    find: (kind: string, key: string) => (one.get({ kind, key }) as Job | undefined) ?? null,
    list: () => all.all() as Job[],
    /** How many jobs fail again and again, and how many should have begun before an instant. */
    problemCounts: (late: number) =>
      problemCounts.get({ late, now: clock() }) as { failing: number; late: number },
  }
}

/** Prepares what says which jobs there are, and when they are due. */
function createSchedule(db: Database, clock: () => number) {
  const schedule = db.prepareWrite(`INSERT INTO jobs (kind, key, data, due_at, next_at)
    VALUES (:kind, :key, :data, :dueAt, :dueAt)
    ON CONFLICT (kind, key) DO UPDATE SET data = :data, due_at = :dueAt, next_at = :dueAt,
      attempts = 0, last_error = NULL, last_error_at = NULL, revision = revision + 1`)
  const ensure = db.prepareWrite(`INSERT INTO jobs (kind, key, due_at, next_at)
    VALUES (:kind, '', :dueAt, :dueAt) ON CONFLICT (kind, key) DO NOTHING`)
  const cancel = db.prepareWrite('DELETE FROM jobs WHERE kind = :kind AND key = :key')
  const dropUnknown = db.prepareWrite(`DELETE FROM jobs
    WHERE key = '' AND kind NOT IN (SELECT value FROM json_each(:kinds))`)
  const makeDue = db.prepareWrite(`UPDATE jobs SET next_at = :now, attempts = 0
    WHERE kind = :kind AND (:key IS NULL OR key = :key) AND (:failed = 0 OR last_error IS NOT NULL)`)

  return {
    schedule: (tx: Transaction, kind: string, key: string, dueAt: number, data: unknown) =>
      void schedule.run(tx, {
        kind,
        key,
        dueAt,
        data: data === null ? null : JSON.stringify(data),
      }),
    ensure: (tx: Transaction, kind: string, dueAt: number) => void ensure.run(tx, { kind, dueAt }),
    cancel: (tx: Transaction, kind: string, key: string): boolean =>
      cancel.run(tx, { kind, key }).changes === 1,
    /** Drops recurring jobs of kinds that there are no more. */
    dropUnknown: (tx: Transaction, kinds: string) => void dropUnknown.run(tx, { kinds }),
    /** Makes jobs due at once. @returns how many */
    makeDue: (tx: Transaction, kind: string, key: string | null, onlyFailed: boolean): number =>
      makeDue.run(tx, { kind, key, failed: onlyFailed ? 1 : 0, now: clock() }).changes,
  }
}

/** Prepares what finds jobs that are due, and takes them. */
function createLeases(db: Database, clock: () => number) {
  const free = `next_at <= :now AND (leased_until IS NULL OR leased_until <= :now)
    AND kind IN (SELECT value FROM json_each(:kinds))
    AND id NOT IN (SELECT value FROM json_each(:busy))`
  const isDue = db.prepare(`SELECT 1 FROM jobs WHERE ${free} LIMIT 1`).pluck()
  const lease = db.prepareWrite(`UPDATE jobs SET leased_until = :until, attempts = attempts + 1
    WHERE id = (SELECT id FROM jobs WHERE ${free} ORDER BY next_at, id LIMIT 1)
    RETURNING ${columns}`)
  const next = db
    .prepare(`SELECT min(max(next_at, coalesce(leased_until, 0))) FROM jobs
    WHERE next_at IS NOT NULL AND kind IN (SELECT value FROM json_each(:kinds))
      AND id NOT IN (SELECT value FROM json_each(:busy))`)
    .pluck()

  return {
    /** Whether a job of some kinds could be taken now; takes no lock. */
    isDue: (kinds: string, busy: string) => isDue.get({ now: clock(), kinds, busy }) !== undefined,
    /** Takes the job that is due for longest; until the lease ends no other process does. */
    lease(tx: Transaction, ms: number, kinds: string, busy: string): Job | null {
      const now = clock()
      return (lease.get(tx, { now, until: now + ms, kinds, busy }) as Job | undefined) ?? null
    },
    /** When the next job can be taken; null when there is none. */
    next: (kinds: string, busy: string) => next.get({ kinds, busy }) as number | null,
  }
}

/** Prepares what the one who runs a job writes down: that it still runs, and how it ended. */
function createLeaseEnds(db: Database, clock: () => number) {
  // An attempt counts on, so it tells whether the lease is still the one that was taken.
  const mine = 'id = :id AND attempts = :attempts AND revision = :revision'
  const renew = db.prepareWrite(`UPDATE jobs SET leased_until = :until WHERE ${mine}`)
  const finish = db.prepareWrite(`DELETE FROM jobs WHERE ${mine}`)
  const repeat = db.prepareWrite(`UPDATE jobs SET due_at = :dueAt, next_at = :dueAt,
    leased_until = NULL, attempts = 0, last_error = NULL, last_error_at = NULL,
    last_success_at = :now WHERE ${mine}`)
  const fail = db.prepareWrite(`UPDATE jobs SET next_at = :nextAt, leased_until = NULL,
    last_error = :error, last_error_at = :now WHERE ${mine}`)
  // What was scheduled anew while it ran is free again once the run is over.
  const release = db.prepareWrite(`UPDATE jobs SET leased_until = NULL
    WHERE id = :id AND revision > :revision`)
  const mineOf = ({ id, attempts, revision }: Job) => ({ id, attempts, revision })

  return {
    renew: (tx: Transaction, job: Job, ms: number) =>
      void renew.run(tx, { ...mineOf(job), until: clock() + ms }),
    /** Ends a job that has been done, or puts a recurring one on its next time. */
    succeed(tx: Transaction, job: Job, nextDueAt: number | null): void {
      if (nextDueAt === null) finish.run(tx, mineOf(job))
      else repeat.run(tx, { ...mineOf(job), dueAt: nextDueAt, now: clock() })
      release.run(tx, { id: job.id, revision: job.revision })
    },
    /** @param nextAt when it is tried again; null when it is given up */
    fail(tx: Transaction, job: Job, error: string, nextAt: number | null): void {
      fail.run(tx, { ...mineOf(job), error, nextAt, now: clock() })
      release.run(tx, { id: job.id, revision: job.revision })
    },
  }
}
