import type { CountedDecision } from '#shared/consent/consent-count.ts'
import { defineTable, integer, text, textOf } from '../db/table.ts'

/** How often visitors decided on cookies in a day. */
export const consentCounts = defineTable('consent_counts', {
  /** In Helsinki, YYYY-MM-DD. */
  day: text(),
  decision: textOf<CountedDecision>(),
  policyVersion: text(),
  count: integer(),
})
