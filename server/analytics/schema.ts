import type { CountedEvent, PageKind, ReadKind } from '#shared/analytics/page-kinds.ts'
import type { Outcome } from '#shared/analytics/visit-source.ts'
import { defineTable, integer, text, textOf } from '../db/table.ts'

/** How often something happened on a kind of page in a day. */
export const pageCounts = defineTable('page_counts', {
  /** In Helsinki, YYYY-MM-DD. */
  day: text(),
  page: textOf<PageKind>(),
  event: textOf<CountedEvent>(),
  count: integer(),
})

/** How often an article, service, case or product was read in a day. */
export const readCounts = defineTable('read_counts', {
  day: text(),
  kind: textOf<ReadKind>(),
  slug: text(),
  count: integer(),
})

/** What visits are counted by: the host that led here, the campaign, or the kind of the first page. */
export type Dimension = 'referrer' | 'campaign' | 'landing'

/** That a visit began, or what it ended in. */
export type VisitEvent = 'visit' | Outcome

/** How many visits of a source began in a day, and what visits of it ended in. */
export const visitCounts = defineTable('visit_counts', {
  dimension: textOf<Dimension>(),
  /** The host, the campaign's source, or the kind of page. */
  name: text(),
  /** Of campaigns alone; else empty, as `campaign`. */
  medium: text(),
  campaign: text(),
  day: text(),
  event: textOf<VisitEvent>(),
  count: integer(),
})
