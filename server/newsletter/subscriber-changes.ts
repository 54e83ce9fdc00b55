import { randomBytes } from 'node:crypto'
import type { SubscriberStatus } from '#shared/newsletter.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'
import {
  subscriberColumns,
  type Subscriber,
  type SubscriberEvent,
  type SubscriberEventKind,
} from './subscriber.ts'

/** What proves an event of a subscription. */
type Proof = Partial<Pick<SubscriberEvent, 'policy' | 'source' | 'network' | 'note'>>

/** Prepares the statements that write subscribers and their histories. */
export function createSubscriberChanges(db: Database, { clock }: { clock: () => number }) {
  const insert = db.prepareWrite(`INSERT INTO subscribers
      (email, name, status, leave_token, created_at, since)
    VALUES (:email, :name, :status, :leaveToken, :now, :now)
    ON CONFLICT (email) DO NOTHING RETURNING ${subscriberColumns}`)
  const rename = db.prepareWrite("UPDATE subscribers SET name = :name WHERE id = :id AND name = ''")
  const change = db.prepareWrite(`UPDATE subscribers
    SET status = :status, since = :now, round = round + :rounds WHERE id = :id`)
  const write = db.prepareWrite(`INSERT INTO subscriber_events
      (subscriber, at, kind, policy, source, network, note)
    VALUES (:subscriber, :now, :kind, :policy, :source, :network, :note)`)

  return {
    add: (tx: Transaction, email: string, name: string, status: SubscriberStatus) =>
      insert.get(tx, {
        email,
        name,
        status,
        leaveToken: randomBytes(16).toString('base64url'),
        now: clock(),
      }) as Subscriber,

    /** Gives a subscriber without a name one. */
    rename: (tx: Transaction, { id }: Subscriber, name: string) =>
      void rename.run(tx, { id, name }),

    /** Changes a status; whoever leaves begins another round. */
    setStatus: (tx: Transaction, { id }: Subscriber, status: SubscriberStatus) =>
      void change.run(tx, { id, status, now: clock(), rounds: status === 'subscribed' ? 0 : 1 }),

    /** Notes what happened to a subscription. */
    note: (tx: Transaction, { id }: Subscriber, kind: SubscriberEventKind, proof: Proof = {}) =>
      void write.run(tx, {
        subscriber: id,
        kind,
        now: clock(),
        policy: null,
        source: null,
        network: null,
        note: null,
        ...proof,
      }),
  }
}
