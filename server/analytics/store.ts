import { dayMs } from '#shared/dates/durations.ts'
import type { CountedEvent, PageKind, ReadKind } from '#shared/analytics/page-kinds.ts'
import { helsinki } from '#shared/dates/helsinki-time.ts'
import type { Transaction } from '../db/group-commit.ts'
import { batchSize } from '../db/in-batches.ts'
import type { Database } from '../db/open.ts'
import { integer, query, text, textOf } from '../db/table.ts'
import { pageCounts, readCounts } from './schema.ts'

/** How long the counts are kept, in milliseconds: five years. */
const keptMs = 5 * 365 * dayMs

/** Days of Helsinki, both inclusive, as YYYY-MM-DD. */
export type Days = { from?: string | undefined; to?: string | undefined }

/** The counts of pages. */
export type PageCounts = ReturnType<typeof createPageCounts>

/** Prepares the statements of the counts; the only place with their SQL. */
export function createPageCounts(db: Database, { clock }: { clock: () => number }) {
  const add = pageCounts.insert(
    db,
    'ON CONFLICT (day, page, event) DO UPDATE SET count = count + 1',
  )
  const list = pageCounts.select(db, 'WHERE day >= :from AND day <= :to ORDER BY day, page, event')
  const forget = db.prepareWrite(`DELETE FROM page_counts WHERE (day, page, event) IN
    (SELECT day, page, event FROM page_counts WHERE day < :day LIMIT ${batchSize})`)
  return {
    /** Counts on the server's day. Call inside a transaction. */
    add: (tx: Transaction, page: PageKind, event: CountedEvent) =>
      void add(tx, { day: helsinki(clock()).date, page, event, count: 1 }),
    /** Forgets a batch of what was counted long ago. @returns how many */
    forgetOld: (tx: Transaction): number =>
      forget.run(tx, { day: helsinki(clock() - keptMs).date }).changes,
    list: ({ from = '', to = '9999' }: Days = {}) => list.all({ from, to }),
  }
}

/** How often each article, service, case and product was read. */
export type ReadCounts = ReturnType<typeof createReadCounts>

/** Prepares the statements of what was read; the only place with their SQL. */
export function createReadCounts(db: Database, { clock }: { clock: () => number }) {
  const add = readCounts.insert(db, 'ON CONFLICT (day, kind, slug) DO UPDATE SET count = count + 1')
  const list = readCounts.select(db, 'WHERE day >= :from AND day <= :to ORDER BY day, kind, slug')
  const sums = query(
    db,
    `SELECT kind, slug, sum(count) AS count FROM read_counts
      WHERE day >= :from AND day <= :to GROUP BY kind, slug ORDER BY 3 DESC, kind, slug`,
    { kind: textOf<ReadKind>(), slug: text(), count: integer() },
  )
  const forget = db.prepareWrite(`DELETE FROM read_counts WHERE (day, kind, slug) IN
    (SELECT day, kind, slug FROM read_counts WHERE day < :day LIMIT ${batchSize})`)
  return {
    /** Counts on the server's day; only what is published. Call inside a transaction. */
    add: (tx: Transaction, kind: ReadKind, slug: string) =>
      void add(tx, { day: helsinki(clock()).date, kind, slug, count: 1 }),
    /** Forgets a batch of what was counted long ago. @returns how many */
    forgetOld: (tx: Transaction): number =>
      forget.run(tx, { day: helsinki(clock() - keptMs).date }).changes,
    list: (days: { from: string; to: string }) => list.all(days),
    /** Sums of some days, most read first. */
    sums: (days: { from: string; to: string }) => sums.all(days),
  }
}
