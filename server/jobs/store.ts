import { minuteMs } from '#shared/dates/durations.ts'
import type { Database } from '../db/open.ts'
import type { Transaction } from '../db/group-commit.ts'
import { integer, nullable, query } from '../db/table.ts'
import { jobs, type Job } from './schema.ts'

/** The jobs' rows; the only place with their SQL. Call what changes something inside a transaction. */
export type JobStore = ReturnType<typeof createJobStore>

/** Prepares the statements of the jobs. */
export function createJobStore(db: Database, { clock }: { clock: () => number }) {
  const one = jobs.select(db, 'WHERE kind = :kind AND key = :key')
  const all = jobs.select(db, 'ORDER BY next_at IS NULL DESC, next_at, id')
  const problemCounts = query(
    db,
    `SELECT (SELECT count(*) FROM jobs WHERE next_at IS NULL OR attempts >= 3) AS failing,
    (SELECT count(*) FROM jobs WHERE next_at <= :late
      AND (leased_until IS NULL OR leased_until <= :now)
      AND kind NOT IN (SELECT value FROM json_each(:waiting))) AS late`,
    { failing: integer(), late: integer() },
  )

  return {
    ...createSchedule(db, clock),
    ...createLeases(db, clock),
    ...createLeaseEnds(db, clock),
    ...createMending(db),
    find: (kind: string, key: string): Job | null => one.get({ kind, key }),
    list: (): Job[] => all.all(),
    /**
     * How many jobs fail again and again, and how many should have begun before an instant.
     * @param waiting kinds that aren't late, as JSON
     */
    problemCounts: (late: number, waiting: string) =>
      problemCounts.get({ late, waiting, now: clock() })!,
  }
}

/** Prepares the statements that list jobs and when they are due. */
function createSchedule(db: Database, clock: () => number) {
  const schedule = jobs.insert(
    db,
    `ON CONFLICT (kind, key) DO UPDATE SET data = excluded.data, due_at = excluded.due_at,
      next_at = excluded.next_at, scheduled_at = excluded.scheduled_at, attempts = 0,
      last_error = NULL, last_error_at = NULL, revision = revision + 1`,
  )
  const ensure = jobs.insert(db, 'ON CONFLICT (kind, key) DO NOTHING')
  const cancel = db.prepareWrite('DELETE FROM jobs WHERE kind = :kind AND key = :key')
  const dropUnknown = db.prepareWrite(`DELETE FROM jobs
    WHERE key = '' AND kind NOT IN (SELECT value FROM json_each(:kinds))`)
  // The attempts of one that runs tell that its lease is still the one it was taken with.
  const makeDue = db.prepareWrite(`UPDATE jobs SET next_at = :now, attempts = 0
    WHERE kind = :kind AND (:key IS NULL OR key = :key) AND (:failed = 0 OR last_error IS NOT NULL)
      AND (leased_until IS NULL OR leased_until <= :now)`)

  return {
    schedule: (tx: Transaction, kind: string, key: string, dueAt: number, data: unknown) =>
      void schedule(tx, {
        kind,
        key,
        data: data === null ? null : JSON.stringify(data),
        dueAt,
        nextAt: dueAt,
        scheduledAt: clock(),
      }),
    ensure: (tx: Transaction, kind: string, dueAt: number) =>
      void ensure(tx, { kind, key: '', data: null, dueAt, nextAt: dueAt, scheduledAt: null }),
    cancel: (tx: Transaction, kind: string, key: string): boolean =>
      cancel.run(tx, { kind, key }).changes === 1,
    /** Drops recurring jobs of kinds that no longer exist. */
    dropUnknown: (tx: Transaction, kinds: string) => void dropUnknown.run(tx, { kinds }),
    /** Makes jobs due immediately, except those that run. @returns how many */
    makeDue: (tx: Transaction, kind: string, key: string | null, onlyFailed: boolean): number =>
      makeDue.run(tx, { kind, key, failed: onlyFailed ? 1 : 0, now: clock() }).changes,
  }
}

/** Prepares the statements that find due jobs and lease them. */
function createLeases(db: Database, clock: () => number) {
  const free = `next_at <= :now AND (leased_until IS NULL OR leased_until <= :now)
    AND kind IN (SELECT value FROM json_each(:kinds))
    AND id NOT IN (SELECT value FROM json_each(:busy))`
  const isDue = query(db, `SELECT 1 AS one FROM jobs WHERE ${free} LIMIT 1`, { one: integer() })
  const lease = db.prepareWrite(`UPDATE jobs SET leased_until = :until, attempts = attempts + 1
    WHERE id = (SELECT id FROM jobs WHERE ${free} ORDER BY next_at, id LIMIT 1)
    RETURNING ${jobs.columns}`)
  const next = query(
    db,
    `SELECT min(max(next_at, coalesce(leased_until, 0))) AS at FROM jobs
    WHERE next_at IS NOT NULL AND kind IN (SELECT value FROM json_each(:kinds))
      AND id NOT IN (SELECT value FROM json_each(:busy))`,
    { at: nullable(integer()) },
  )

  return {
    /** Whether a job of some kinds could be taken now; takes no lock. */
    isDue: (kinds: string, busy: string) => isDue.get({ now: clock(), kinds, busy }) !== null,
    /** Takes the job that is due for longest; until the lease ends no other process does. */
    lease(tx: Transaction, ms: number, kinds: string, busy: string): Job | null {
      const now = clock()
      const row = lease.get(tx, { now, until: now + ms, kinds, busy })
      return row === undefined ? null : jobs.read(row)
    },
    /** When the next job can be taken; null when there is none. */
    next: (kinds: string, busy: string): number | null => next.get({ kinds, busy })!.at,
  }
}

/** Prepares the statements of a running job: renewing its lease, and its outcome. */
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
  // What was rescheduled while it ran is free again once the run is over.
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

/** How far in the future a time must be to come from a wrong clock rather than from two that differ a little. */
const slackMs = 5 * minuteMs

/** Prepares the statements that correct times recorded while the clock was ahead. */
function createMending(db: Database) {
  const leases = db.prepareWrite('UPDATE jobs SET leased_until = NULL WHERE leased_until > :latest')
  const scheduled = db.prepareWrite(`UPDATE jobs SET due_at = due_at - (scheduled_at - :now),
    next_at = next_at - (scheduled_at - :now), scheduled_at = :now
    WHERE scheduled_at > :now + ${slackMs} AND next_at IS NOT NULL`)
  const retries = db.prepareWrite(`UPDATE jobs SET next_at = :latest
    WHERE attempts > 0 AND next_at > :latest + ${slackMs}`)
  const recurring = db.prepareWrite(`UPDATE jobs SET due_at = :dueAt, next_at = :dueAt
    WHERE kind = :kind AND key = '' AND attempts = 0 AND next_at > :dueAt`)

  return {
    /** Ends leases and waits longer than any we give, and moves what was scheduled in the future. */
    mendTimes(
      tx: Transaction,
      { now, maxLeaseMs, maxRetryMs }: { now: number; maxLeaseMs: number; maxRetryMs: number },
    ): void {
      leases.run(tx, { latest: now + maxLeaseMs + slackMs })
      scheduled.run(tx, { now })
      retries.run(tx, { latest: now + maxRetryMs })
    },
    /** Makes a recurring job due by an instant; a failing one keeps its next attempt. */
    mendRecurring: (tx: Transaction, kind: string, dueAt: number): void =>
      void recurring.run(tx, { kind, dueAt }),
  }
}
