import { defineTable, integer, made, nullable, text, type RowOf } from '../db/table.ts'

/** Work that is due at a time. Times are milliseconds of the epoch. */
export const jobs = defineTable('jobs', {
  id: made(integer()),
  kind: text(),
  /** Kind and key together are one job; empty for a recurring one. Compared, and never taken apart. */
  key: text(),
  /** JSON, as its kind reads it. */
  data: nullable(text()),
  /** When it was to run. */
  dueAt: integer(),
  /** When it may be taken next; null once it has been given up. */
  nextAt: nullable(integer()),
  leasedUntil: made(nullable(integer())),
  /** Since the last success. */
  attempts: made(integer()),
  /** Counts on with each scheduling, so the end of a run does not undo a newer one. */
  revision: made(integer()),
  lastError: made(nullable(text())),
  lastErrorAt: made(nullable(integer())),
  lastSuccessAt: made(nullable(integer())),
  /** When it was given its due time; null for a recurring job. */
  scheduledAt: nullable(integer()),
})

/** A row of the jobs. */
export type Job = RowOf<typeof jobs>
