import type { CountedEvent, PageKind } from '#shared/page-kinds.ts'
import { defineTable, integer, text, textOf } from '../db/table.ts'

/** How often something happened on a kind of page in a day. */
export const pageCounts = defineTable('page_counts', {
  /** In Helsinki, YYYY-MM-DD. */
  day: text(),
  page: textOf<PageKind>(),
  event: textOf<CountedEvent>(),
  count: integer(),
})
