import { defineTable, integer, made, nullable, text, type RowOf } from '../db/table.ts'

/** What was done to things. */
export const timeline = defineTable('timeline', {
  id: made(integer()),
  /** Its kind, such as `ticket`. */
  thing: text(),
  /** What people call it, such as a booking's reference. */
  thingId: text(),
  /** Milliseconds of the epoch. */
  at: integer(),
  /** A name of staff, `visitor`, or `system`. */
  actor: text(),
  /** What was done, in a word: `status`, `note`, `confirmed`. */
  act: text(),
  before: nullable(text()),
  after: nullable(text()),
  note: nullable(text()),
})

/** Something that was done to a thing. */
export type TimelineEntry = RowOf<typeof timeline>
