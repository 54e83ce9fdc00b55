import type { Collection, Row } from '#shared/content.ts'
import { settleEvent } from './event-rows.ts'
import type { StoredRow } from './reader.ts'
import type { Problem } from './row-values.ts'

/** What is special about the rows of a collection, beside their schema. */
export type CollectionRules<Name extends Collection = Collection> = {
  /** Fields that no page shows; they are for the site itself. */
  unshown?: readonly string[]
  /** Whether a row may be shown at all, whatever its status. */
  isAllowed?(row: StoredRow): boolean
  /** The status of a row, where it is not `Status` or `status`. */
  statusOf?(row: StoredRow): unknown
  /** A row without a status is not shown. */
  needsStatus?: true
  /** Brings a valid row to one shape. @returns what is wrong with it; null where nothing is */
  settle?(row: Row<Name>): Problem | null
}

/** The rules of the collections that have some (docs/contract.md, Content service). */
const rules: { [Name in Collection]?: CollectionRules<Name> } = {
  settings: { unshown: ['iban', 'bic'] },
  // It needs the consent of its author; where the service does not have the field, its editors decide.
  testimonials: {
    unshown: ['consent'],
    isAllowed: ({ consent }) => consent === undefined || consent === true,
  },
  news: { unshown: ['old_slugs'] },
  section_hero: { needsStatus: true },
  // `status` is the organiser's.
  events: { statusOf: ({ Status }) => Status, settle: settleEvent },
}

/** The rules of a collection; none for most. */
export const rulesOf = <Name extends Collection>(collection: Name): CollectionRules<Name> =>
  rules[collection] ?? {}
