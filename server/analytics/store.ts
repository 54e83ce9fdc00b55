import { dayMs } from '#shared/durations.ts'
import type { CountedEvent, PageKind } from '#shared/page-kinds.ts'
import { helsinki } from '#shared/helsinki-time.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'

/** How often something happened on a kind of page in a day. */
export type PageCount = { day: string; page: PageKind; event: CountedEvent; count: number }

/** How long the counts are kept, in milliseconds: five years. */
const keptMs = 5 * 365 * dayMs

/** Days of Helsinki, both inclusive, as YYYY-MM-DD. */
export type Days = { from?: string | undefined; to?: string | undefined }

/** The counts of pages. */
export type PageCounts = ReturnType<typeof createPageCounts>

/** Prepares the statements of the counts; the only place with their SQL. */
export function createPageCounts(db: Database, { clock }: { clock: () => number }) {
  const add = db.prepareWrite(`INSERT INTO page_counts (day, page, event, count)
    VALUES (:day, :page, :event, 1)
    ON CONFLICT (day, page, event) DO UPDATE SET count = count + 1`)
  const list = db.prepare(`SELECT day, page, event, count FROM page_counts
    WHERE day >= :from AND day <= :to ORDER BY day, page, event`)
  const forget = db.prepareWrite('DELETE FROM page_counts WHERE day < :day')
  return {
    /** Counts on the server's day; belongs into a transaction. */
    add: (tx: Transaction, page: PageKind, event: CountedEvent) =>
      void add.run(tx, { day: helsinki(clock()).date, page, event }),
    /** Forgets what was counted long ago. */
    forgetOld: (tx: Transaction) => void forget.run(tx, { day: helsinki(clock() - keptMs).date }),
    list: ({ from = '', to = '9999' }: Days = {}) => list.all({ from, to }) as PageCount[],
  }
}
