import { dayMs } from '#shared/dates/durations.ts'
import type { CountedDecision } from '#shared/consent/consent-count.ts'
import { helsinki } from '#shared/dates/helsinki-time.ts'
import type { Transaction } from '../db/group-commit.ts'
import { batchSize } from '../db/in-batches.ts'
import type { Database } from '../db/open.ts'
import { consentCounts } from './schema.ts'

/** How long the counts are kept, in milliseconds: five years. */
const keptMs = 5 * 365 * dayMs

/** The counts of decisions. */
export type ConsentCounts = ReturnType<typeof createConsentCounts>

/** Prepares the statements of the counts; the only place with their SQL. */
export function createConsentCounts(db: Database, { clock }: { clock: () => number }) {
  const add = consentCounts.insert(
    db,
    'ON CONFLICT (day, decision, policy_version) DO UPDATE SET count = count + 1',
  )
  const forget =
    db.prepareWrite(`DELETE FROM consent_counts WHERE (day, decision, policy_version) IN
    (SELECT day, decision, policy_version FROM consent_counts WHERE day < :day LIMIT ${batchSize})`)
  const list = consentCounts.select(db, 'ORDER BY day, decision, policy_version')
  return {
    /** Counts a decision on the server's day. Call inside a transaction. */
    add: (tx: Transaction, decision: CountedDecision, policyVersion: string) =>
      void add(tx, { day: helsinki(clock()).date, decision, policyVersion, count: 1 }),
    list: () => list.all(),
    /** Forgets a batch of what was decided long ago. @returns how many */
    forgetOld: (tx: Transaction): number =>
      forget.run(tx, { day: helsinki(clock() - keptMs).date }).changes,
  }
}
