import type { Database } from '../db/open.ts'
import type { Transaction } from '../db/group-commit.ts'

/** Something that was done to a thing. */
export type TimelineEntry = {
  readonly id: number
  /** Its kind, such as `ticket`. */
  readonly thing: string
  readonly thingId: string
  /** Milliseconds of the epoch. */
  readonly at: number
  /** A name of staff, `visitor`, or `system`. */
  readonly actor: string
  /** What was done, in a word: `status`, `note`, `confirmed`. */
  readonly act: string
  readonly before: string | null
  readonly after: string | null
  readonly note: string | null
}

/** What is written down; the time is now. */
export type NewEntry = {
  thing: string
  thingId: string
  actor: string
  act: string
  before?: string | null
  after?: string | null
  note?: string | null
}

/** Who did what to which thing, and when. */
export type Timeline = {
  /** Writes something down; belongs into the transaction of what was done. */
  record(tx: Transaction, entry: NewEntry): void
  /** What happened to a thing, oldest first. */
  of(thing: string, thingId: string): TimelineEntry[]
  /** Forgets things that are no longer kept; belongs into a transaction. */
  forget(tx: Transaction, thing: string, thingIds: readonly string[]): void
  /** Entries whose words contain a text, whatever its letter case. */
  mentioning(text: string): TimelineEntry[]
  /** Takes a text out of the words of all entries; belongs into a transaction. @returns how many had it */
  redact(tx: Transaction, text: string): number
}

const columns = 'id, thing, thing_id AS thingId, at, actor, act, before, after, note'

/** Prepares the statements of the timeline; the only place with their SQL. */
export function createTimeline(db: Database, { clock }: { clock: () => number }): Timeline {
  const insert = db.prepareWrite(`INSERT INTO timeline
      (thing, thing_id, at, actor, act, before, after, note)
    VALUES (:thing, :thingId, :at, :actor, :act, :before, :after, :note)`)
  const of = db.prepare(`SELECT ${columns} FROM timeline
    WHERE thing = :thing AND thing_id = :thingId ORDER BY id`)
  const forget = db.prepareWrite(`DELETE FROM timeline
    WHERE thing = :thing AND thing_id IN (SELECT value FROM json_each(:thingIds))`)
  const mentioning = db.prepare(`SELECT ${columns} FROM timeline
    WHERE instr(lower(concat_ws(char(10), actor, before, after, note)), lower(:text)) > 0
    ORDER BY id`)
  const blank = db.prepareWrite(`UPDATE timeline
    SET actor = :actor, before = :before, after = :after, note = :note WHERE id = :id`)

  const find = (text: string) => mentioning.all({ text }) as TimelineEntry[]
  return {
    record: (tx, { before = null, after = null, note = null, ...entry }) =>
      void insert.run(tx, { ...entry, before, after, note, at: clock() }),
    of: (thing, thingId) => of.all({ thing, thingId }) as TimelineEntry[],
    forget: (tx, thing, thingIds) =>
      void forget.run(tx, { thing, thingIds: JSON.stringify(thingIds) }),
    mentioning: find,
    redact(tx, text) {
      const pattern = new RegExp(RegExp.escape(text), 'gi')
      const without = (words: string | null) => words && words.replaceAll(pattern, '[erased]')
      const found = find(text)
      for (const { id, actor, before, after, note } of found) {
        blank.run(tx, {
          id,
          actor: without(actor),
          before: without(before),
          after: without(after),
          note: without(note),
        })
      }
      return found.length
    },
  }
}

/** An entry in words for people, without its time: `mika: status new → answered`. */
export function entryText({ actor, act, before, after, note }: TimelineEntry): string {
  const change = before === null ? after : `${before} → ${after ?? 'nothing'}`
  return `${actor}: ${[act, change].filter(Boolean).join(' ')}${note ? ` (${note})` : ''}`
}
