import type { Database } from '../../db/open.ts'
import type { Transaction } from '../../db/group-commit.ts'
import {
  eventId,
  eventNotices,
  type EventFacts,
  type EventNotice,
  type StoredEvent,
} from '../schema.ts'

/** The notices of events; the only place with their SQL. */
export type NoticeStore = ReturnType<typeof createNoticeStore>

/** Prepares the statements of {@link eventNotices}. */
export function createNoticeStore(db: Database, { clock }: { clock: () => number }) {
  const byId = eventNotices.select(db, 'WHERE id = :id')
  const unsentOf = eventNotices.select(db, 'WHERE event_id = :eventId AND sent_at IS NULL')
  const unsent = eventNotices.select(db, 'WHERE sent_at IS NULL ORDER BY id')
  const insert = eventNotices.insert(db)
  const change = eventNotices.update(db, ['after', 'author'], 'WHERE id = :id')
  const markSent = eventNotices.update(db, ['sentAt'], 'WHERE id = :id')
  const remove = db.prepareWrite('DELETE FROM event_notices WHERE id = ?')
  const forget = db.prepareWrite('DELETE FROM event_notices WHERE event_id = ? AND sent_at IS NULL')

  return {
    find: (id: number): EventNotice | null => byId.get({ id }),
    /** What the bookings of an event have not been told yet. */
    unsentOf: (id: string): EventNotice | null => unsentOf.get({ eventId: id }),
    /** Every notice that waits to be sent. */
    unsent: (): EventNotice[] => unsent.all(),

    /**
     * Prepares the notices to an event's bookings. Several changes before sending become one; a change
     * that is undone leaves nothing to send. Call inside a transaction.
     * @returns the notice; null where there is nothing to tell
     */
    prepare(
      tx: Transaction,
      event: StoredEvent,
      { before, after, author }: { before: EventFacts; after: EventFacts; author: string },
    ): EventNotice | null {
      const waiting = unsentOf.get({ eventId: eventId(event) })
      const since = waiting?.before ?? before
      const isSame = JSON.stringify(since) === JSON.stringify(after)
      if (waiting && isSame) remove.run(tx, waiting.id)
      if (isSame) return null
      if (waiting) {
        change(tx, { after, author }, { id: waiting.id })
        return { ...waiting, after, author }
      }
      const row = {
        eventId: eventId(event),
        before,
        after,
        createdAt: clock(),
        author,
        sentAt: null,
      }
      return insert(tx, row)
    },

    /** Forgets what the bookings of an event have not been told. Call inside a transaction. */
    forget: (tx: Transaction, id: string): void => void forget.run(tx, id),

    /** Marks a notice as sent. Call inside a transaction. */
    sent: (tx: Transaction, { id }: EventNotice): void =>
      void markSent(tx, { sentAt: clock() }, { id }),
  }
}
