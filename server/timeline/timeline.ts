import { actInWords } from '#shared/text/acts-in-words.ts'
import type { Database } from '../db/open.ts'
import type { Transaction } from '../db/group-commit.ts'
import { integer, query } from '../db/table.ts'
import { timeline, type TimelineEntry } from './schema.ts'

/** What is written down; the time is now unless it's told. */
export type NewEntry = {
  thing: string
  thingId: string
  actor: string
  act: string
  before?: string | null
  after?: string | null
  note?: string | null
  /** Milliseconds of the epoch, for what was done before it could be written down. */
  at?: number
}

/** An act on the site itself rather than on one of its things. @param area such as `keys` */
export const siteAct = (
  area: string,
  { actor, act, note = null }: Pick<NewEntry, 'actor' | 'act' | 'note'>,
): NewEntry => ({ thing: 'site', thingId: area, actor, act, note })

/** Who changes their own thing through the link that we emailed them, as the timeline names them. */
export const visitorByLink = 'visitor, by their link'

/** Who did what to which thing, and when. */
export type Timeline = {
  /** Writes something down. Call inside the transaction of what was done. */
  record(tx: Transaction, entry: NewEntry): void
  /** What happened to a thing, oldest first. */
  of(thing: string, thingId: string): TimelineEntry[]
  /** Everything that was done since an instant, newest first; read one at a time. */
  newest(since?: number): Iterable<TimelineEntry>
  /** How many {@link Timeline.newest} has. */
  countSince(since?: number): number
  /** Forgets things that are no longer kept. Call inside a transaction. */
  forget(tx: Transaction, thing: string, thingIds: readonly string[]): void
  /** Entries that name an email address. */
  mentioning(email: string): TimelineEntry[]
  /** Takes an email address out of the words of all entries. Call inside a transaction. @returns how many had it */
  redact(tx: Transaction, email: string): number
}

/** Columns that may name a person; the id of a thing is one where companies go by their address. */
const worded = ['thing_id', 'actor', 'before', 'after', 'note']
const isNamed = `mentions(concat_ws(char(10), ${worded.join(', ')}), :email)`

/** Prepares the statements of the timeline; the only place with their SQL. */
export function createTimeline(db: Database, { clock }: { clock: () => number }): Timeline {
  const insert = timeline.insert(db)
  const of = timeline.select(db, 'WHERE thing = :thing AND thing_id = :thingId ORDER BY id')
  const newest = timeline.select(db, 'WHERE at >= :since ORDER BY id DESC')
  const countSince = query(db, 'SELECT count(*) AS count FROM timeline WHERE at >= :since', {
    count: integer(),
  })
  const forget = db.prepareWrite(`DELETE FROM timeline
    WHERE thing = :thing AND thing_id IN (SELECT value FROM json_each(:thingIds))`)
  const mentioning = timeline.select(db, `WHERE ${isNamed} ORDER BY id`)
  const redact = db.prepareWrite(`UPDATE timeline SET
    ${worded.map((column) => `${column} = without_mentions(${column}, :email)`).join(', ')}
    WHERE ${isNamed}`)

  return {
    record: (tx, { before = null, after = null, note = null, at = clock(), ...entry }) =>
      void insert(tx, { ...entry, before, after, note, at }),
    of: (thing, thingId) => of.all({ thing, thingId }),
    newest: (since = 0) => newest.iterate({ since }),
    countSince: (since = 0) => countSince.get({ since })!.count,
    forget: (tx, thing, thingIds) =>
      void forget.run(tx, { thing, thingIds: JSON.stringify(thingIds) }),
    mentioning: (email) => mentioning.all({ email }),
    redact: (tx, email) => redact.run(tx, { email }).changes,
  }
}

/** An entry in words for people, without its time: `mika: status new → answered`. */
export const entryText = (entry: TimelineEntry): string =>
  `${entry.actor}: ${actInWords(entry)}${entry.note ? ` (${entry.note})` : ''}`
