import { dayMs, hourMs, minuteMs } from '#shared/dates/durations.ts'
import type { Transaction } from '../db/group-commit.ts'
import { batchSize } from '../db/in-batches.ts'
import type { Database } from '../db/open.ts'
import { folderVisits } from './schema.ts'

/** Milliseconds without a look after which the next one is another visit. */
const visitEndsAfter = 2 * hourMs

/** Milliseconds for which looks aren't written down again. */
const writeEvery = 5 * minuteMs

/** How long a visitor who stays away is remembered, as the cookie of favourites is. */
const rememberedFor = 180 * dayMs

/**
 * Visits of clients and of visitors with favourites: prepares what knows when they were here before.
 * The only place with their SQL.
 */
export function createFolderVisits(db: Database, { clock }: { clock: () => number }) {
  const find = folderVisits.select(db, 'WHERE folder = :folder AND visitor = :visitor')
  const set = folderVisits.insert(
    db,
    'ON CONFLICT DO UPDATE SET seen_at = excluded.seen_at, before_at = excluded.before_at',
  )
  const forget = db.prepareWrite(`DELETE FROM folder_visits WHERE (folder, visitor) IN
    (SELECT folder, visitor FROM folder_visits WHERE seen_at < :before LIMIT ${batchSize})`)

  /** The visit as it is with a look at this moment. */
  const now = (folder: number, visitor: string) => {
    const known = find.get({ folder, visitor })
    const at = clock()
    if (!known) return { seenAt: at, beforeAt: null, isDue: true }
    const isAnother = at - known.seenAt >= visitEndsAfter
    return {
      seenAt: at,
      beforeAt: isAnother ? known.seenAt : known.beforeAt,
      isDue: isAnother || at - known.seenAt >= writeEvery,
    }
  }

  return {
    /**
     * When a visitor's visit before this one ended.
     * @param visitor the hash of one who is known
     * @returns milliseconds of the epoch; null during the first visit
     */
    before: (folder: number, visitor: string): number | null => now(folder, visitor).beforeAt,

    /** Whether a look has to be written down. */
    isDue: (folder: number, visitor: string): boolean => now(folder, visitor).isDue,

    /** Writes a look down. Call inside a transaction. */
    note(tx: Transaction, folder: number, visitor: string): void {
      const { seenAt, beforeAt } = now(folder, visitor)
      set(tx, { folder, visitor, seenAt, beforeAt })
    },

    /** Forgets a batch of visitors who have stayed away. @returns how many */
    forget: (tx: Transaction): number =>
      forget.run(tx, { before: clock() - rememberedFor }).changes,
  }
}
