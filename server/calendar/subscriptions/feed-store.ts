import type { Database } from '../../db/open.ts'
import type { Transaction } from '../../db/group-commit.ts'
import { eventFeeds, feedDecisions, type EventFeed } from '../schema.ts'

/** The subscribed calendars; the only place with their SQL. */
export type FeedStore = ReturnType<typeof createFeedStore>

/** Prepares the statements of {@link eventFeeds} and {@link feedDecisions}. */
export function createFeedStore(db: Database, { clock }: { clock: () => number }) {
  const all = eventFeeds.select(db, 'ORDER BY id')
  const byId = eventFeeds.select(db, 'WHERE id = :id')
  const insert = eventFeeds.insert(db, 'ON CONFLICT DO NOTHING')
  const fetched = eventFeeds.update(
    db,
    ['checkedAt', 'fetchedAt', 'etag', 'body', 'problem', 'failures'],
    'WHERE id = :id',
  )
  const failed = eventFeeds.update(db, ['checkedAt', 'problem', 'failures'], 'WHERE id = :id')
  const count = eventFeeds.update(db, ['openChanges'], 'WHERE id = :id')
  const show = eventFeeds.update(db, ['shown'], 'WHERE id = :id')
  const remove = db.prepareWrite('DELETE FROM event_feeds WHERE id = ?')
  const decisions = feedDecisions.select(db, 'WHERE feed_id = :feedId')
  const decide = feedDecisions.insert(
    db,
    'ON CONFLICT DO UPDATE SET decision = excluded.decision, digest = excluded.digest',
  )

  return {
    all: (): EventFeed[] => all.all(),
    find: (id: number): EventFeed | null => byId.get({ id }),

    /** Keeps a new feed. Call inside a transaction. @returns null for an address that is known */
    add: (
      tx: Transaction,
      feed: Pick<EventFeed, 'url' | 'zone' | 'series' | 'author'>,
    ): EventFeed | null =>
      insert(tx, {
        ...feed,
        createdAt: clock(),
        checkedAt: null,
        fetchedAt: null,
        etag: null,
        body: null,
        problem: null,
        failures: 0,
        openChanges: 0,
        shown: null,
      }),

    /** Keeps what a feed has sent. Call inside a transaction. */
    fetched(tx: Transaction, { id }: EventFeed, got: { body: string; etag: string | null }): void {
      const now = clock()
      const values = { checkedAt: now, fetchedAt: now, problem: null, failures: 0, ...got }
      fetched(tx, values, { id })
    },

    /** Keeps why a feed could not be read. Call inside a transaction. */
    failed: (tx: Transaction, { id, failures }: EventFeed, problem: string): void =>
      void failed(tx, { checkedAt: clock(), problem, failures: failures + 1 }, { id }),

    /** Keeps how many differences of a feed wait for staff. Call inside a transaction. */
    count: (tx: Transaction, { id }: EventFeed, openChanges: number): void =>
      void count(tx, { openChanges }, { id }),

    /** Keeps which differences staff were shown. Call inside a transaction. */
    show: (tx: Transaction, { id }: EventFeed, shown: Record<string, string>): void =>
      void show(tx, { shown }, { id }),

    /** Forgets a feed with what was decided about it. Call inside a transaction. */
    remove: (tx: Transaction, { id }: EventFeed): void => void remove.run(tx, id),

    /** What staff decided about the events of a feed, by the id of the event. */
    decisions: ({ id }: EventFeed) =>
      new Map(decisions.all({ feedId: id }).map((row) => [row.eventId, row])),

    /** Keeps a decision in place of an earlier one. Call inside a transaction. */
    decide: (
      tx: Transaction,
      { id }: EventFeed,
      made: { eventId: string; decision: 'approved' | 'dismissed'; digest: string },
    ): void => void decide(tx, { feedId: id, ...made }),
  }
}
