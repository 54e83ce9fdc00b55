import type { CountedDecision } from '#shared/consent.ts'
import { helsinki } from '#shared/helsinki-time.ts'
import type { Database } from '../db/open.ts'

/** The counts of a day. */
type ConsentCount = {
  day: string
  decision: CountedDecision
  policyVersion: string
  count: number
}

/** Prepares the statements of the counts; the only place with their SQL. */
export function createConsentCounts(db: Database, { clock }: { clock: () => number }) {
  const add = db.prepare(`INSERT INTO consent_counts (day, decision, policy_version, count)
    VALUES (:day, :decision, :policyVersion, 1)
    ON CONFLICT (day, decision, policy_version) DO UPDATE SET count = count + 1`)
  const list = db.prepare(`SELECT day, decision, policy_version AS policyVersion, count
    FROM consent_counts ORDER BY day, decision, policy_version`)
  return {
    /** Counts a decision on the server's day; belongs into a transaction. */
    add: (decision: CountedDecision, policyVersion: string) =>
      void add.run({ day: helsinki(clock()).date, decision, policyVersion }),
    list: () => list.all() as ConsentCount[],
  }
}
