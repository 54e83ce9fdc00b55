import { dayMs } from '#shared/durations.ts'
import type { CountedDecision } from '#shared/consent-count.ts'
import { helsinki } from '#shared/helsinki-time.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'

/** The counts of a day. */
type ConsentCount = {
  day: string
  decision: CountedDecision
  policyVersion: string
  count: number
}

/** How long the counts are kept, in milliseconds: five years. */
const keptMs = 5 * 365 * dayMs

/** The counts of decisions. */
export type ConsentCounts = ReturnType<typeof createConsentCounts>

/** Prepares the statements of the counts; the only place with their SQL. */
export function createConsentCounts(db: Database, { clock }: { clock: () => number }) {
  const add = db.prepareWrite(`INSERT INTO consent_counts (day, decision, policy_version, count)
    VALUES (:day, :decision, :policyVersion, 1)
    ON CONFLICT (day, decision, policy_version) DO UPDATE SET count = count + 1`)
  const forget = db.prepareWrite('DELETE FROM consent_counts WHERE day < :day')
  const list = db.prepare(`SELECT day, decision, policy_version AS policyVersion, count
    FROM consent_counts ORDER BY day, decision, policy_version`)
  return {
    /** Counts a decision on the server's day; belongs into a transaction. */
    add: (tx: Transaction, decision: CountedDecision, policyVersion: string) =>
      void add.run(tx, { day: helsinki(clock()).date, decision, policyVersion }),
    list: () => list.all() as ConsentCount[],
    /** Forgets what was decided long ago. */
    forgetOld: (tx: Transaction) => void forget.run(tx, { day: helsinki(clock() - keptMs).date }),
  }
}
