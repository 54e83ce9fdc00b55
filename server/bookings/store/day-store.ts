import type { CivilDate } from '#shared/dates/civil-dates.ts'
import { batchSize } from '../../db/in-batches.ts'
import type { Database } from '../../db/open.ts'
import type { Transaction } from '../../db/group-commit.ts'
import type { NewRowOf } from '../../db/table.ts'
import type { ServiceLoad } from '../days/capacity.ts'
import { bookingBlocks, bookingDays, type Block } from '../schema.ts'

/** The loads of days; the only place with their SQL. */
export type DayStore = ReturnType<typeof createDayStore>

/** Which column of a day a booking counts in. */
export type DayKind = 'held' | 'confirmed' | 'travelling'

/** Prepares the statements of the loads of days and of blocked days. */
export function createDayStore(db: Database, { clock }: { clock: () => number }) {
  const loads = bookingDays.select(db, 'WHERE date BETWEEN :from AND :to ORDER BY date, service')
  const statements = (sql: (kind: DayKind) => string) => ({
    held: db.prepareWrite(sql('held')),
    confirmed: db.prepareWrite(sql('confirmed')),
    travelling: db.prepareWrite(sql('travelling')),
  })
  const add = statements(
    (kind) => `INSERT INTO booking_days (date, service, ${kind}) VALUES (:date, :service, 1)
      ON CONFLICT DO UPDATE SET ${kind} = ${kind} + 1`,
  )
  const take = statements(
    (kind) => `UPDATE booking_days SET ${kind} = ${kind} - 1
      WHERE date = :date AND service = :service`,
  )
  const tidy = db.prepareWrite(
    `DELETE FROM booking_days WHERE (date, service) IN (SELECT date, service FROM booking_days
       WHERE date < :before OR (held = 0 AND confirmed = 0 AND travelling = 0) LIMIT ${batchSize})`,
  )

  return {
    /** What the days of a range hold, by date. */
    loads(from: CivilDate, to: CivilDate): ReadonlyMap<CivilDate, readonly ServiceLoad[]> {
      const byDate = new Map<CivilDate, ServiceLoad[]>()
      for (const { date, ...load } of loads.iterate({ from, to })) {
        const there = byDate.get(date)
        if (there) there.push(load)
        else byDate.set(date, [load])
      }
      return byDate
    },

    /** Counts a booking into days, or out of them for a `by` of -1. */
    count(
      tx: Transaction,
      kind: DayKind,
      service: string,
      dates: readonly CivilDate[],
      by: 1 | -1,
    ): void {
      const statement = by === 1 ? add[kind] : take[kind]
      for (const date of dates) statement.run(tx, { date, service })
    },

    /** Forgets a batch of days that are over, or hold nothing. @returns how many */
    tidy: (tx: Transaction, before: CivilDate): number => tidy.run(tx, { before }).changes,

    ...createBlockedDays(db, { clock }),
  }
}

/** Prepares the statements of the days that staff have blocked. */
function createBlockedDays(db: Database, { clock }: { clock: () => number }) {
  const blocks = bookingBlocks.select(
    db,
    'WHERE last_date >= :from AND first_date <= :to ORDER BY first_date, id',
  )
  const insert = bookingBlocks.insert(db)
  const unblock = db.prepareWrite('DELETE FROM booking_blocks WHERE id = ?')
  const isNamed = 'mentions(concat_ws(char(10), reason, author), :email)'
  const mentioning = bookingBlocks.select(db, `WHERE ${isNamed} ORDER BY id`)
  const redact = db.prepareWrite(`UPDATE booking_blocks SET
    reason = without_mentions(reason, :email), author = without_mentions(author, :email)
    WHERE ${isNamed}`)

  return {
    /** The days that staff have blocked, as far as they lie in a range. */
    blocks: (from: CivilDate, to: CivilDate): Block[] => blocks.all({ from, to }),

    /** Blocks days for one service, or for all. @returns the id of the block */
    block: (
      tx: Transaction,
      days: Omit<NewRowOf<typeof bookingBlocks>, 'createdAt' | 'person' | 'places'> &
        Partial<Pick<Block, 'person' | 'places'>>,
    ): number => insert(tx, { person: null, places: null, ...days, createdAt: clock() })!.id,

    /** Opens blocked days again. @returns whether there was such a block */
    unblock: (tx: Transaction, id: number): boolean => unblock.run(tx, id).changes === 1,

    /** The blocked days whose reason names an address. */
    blocksMentioning: (email: string): Block[] => mentioning.all({ email }),

    /** Takes an address out of what staff wrote beside blocked days. @returns of how many */
    redactBlocks: (tx: Transaction, email: string): number => redact.run(tx, { email }).changes,
  }
}
