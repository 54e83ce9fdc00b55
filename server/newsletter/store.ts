import { randomBytes } from 'node:crypto'
import type { SubscriberStatus } from '#shared/newsletter.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'
import { nextConfirmation } from './confirmation-limits.ts'
import {
  subscriberColumns,
  type Subscriber,
  type SubscriberEvent,
  type SubscriberEventKind,
} from './subscriber.ts'
import { createSubscriberQueries } from './subscriber-queries.ts'
import { createSubscriberRetention } from './subscriber-retention.ts'

type Proof = Partial<Pick<SubscriberEvent, 'policy' | 'source' | 'network' | 'note'>>

/** The list; the only place with its SQL. */
export type Subscribers = ReturnType<typeof createSubscribers>

/** Prepares the statements of the list. */
export function createSubscribers(db: Database, { clock }: { clock: () => number }) {
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
  const grant =
    db.prepareWrite(`INSERT INTO subscriber_confirmations (subscriber, network, at, due_at)
    VALUES (:subscriber, :network, :now, :dueAt)`)
  const granting = nextConfirmation(db)
  const queries = createSubscriberQueries(db)
  const { find, findId } = queries

  const note = (
    tx: Transaction,
    subscriber: number,
    kind: SubscriberEventKind,
    proof: Proof = {},
  ) =>
    void write.run(tx, {
      subscriber,
      kind,
      now: clock(),
      policy: null,
      source: null,
      network: null,
      note: null,
      ...proof,
    })
  const add = (tx: Transaction, email: string, name: string, status: SubscriberStatus) =>
    insert.get(tx, {
      email,
      name,
      status,
      leaveToken: randomBytes(16).toString('base64url'),
      now: clock(),
    }) as Subscriber
  const setStatus = (tx: Transaction, { id }: Subscriber, status: SubscriberStatus) =>
    void change.run(tx, { id, status, now: clock(), rounds: status === 'subscribed' ? 0 : 1 })

  return {
    ...queries,
    ...createSubscriberRetention(db, { clock }),

    /**
     * Notes that an address asked for the newsletter; belongs into a transaction, together with the mail.
     * @param proof `network` is the keyed hash of the client's network
     * @returns the subscriber and when the confirmation mail may go out; null when none may, for
     *   whatever reason, which nobody is told
     */
    ask(
      tx: Transaction,
      { email, name }: { email: string; name: string },
      proof: { network: string; policy: string; source: string | null },
    ): { subscriber: Subscriber; dueAt: number } | null {
      const now = clock()
      const known = find(email)
      if (known?.status === 'subscribed' || known?.status === 'blocked') return null
      const dueAt = granting({ subscriber: known?.id ?? null, network: proof.network, now })
      if (dueAt === null) return null
      const subscriber = known ?? add(tx, email, name, 'pending')
      if (name) rename.run(tx, { id: subscriber.id, name })
      note(tx, subscriber.id, 'asked', proof)
      grant.run(tx, { subscriber: subscriber.id, network: proof.network, now, dueAt })
      return { subscriber, dueAt }
    },

    /**
     * Puts a subscriber on the list who pressed the button of the confirmation; belongs into a
     * transaction.
     * @returns false when the link belongs to an earlier round or an address that is gone
     */
    confirm(
      tx: Transaction,
      id: number,
      round: number,
      proof: { network: string; policy: string },
    ): boolean {
      const subscriber = findId(id)
      if (!subscriber || subscriber.round !== round || subscriber.status === 'blocked') return false
      if (subscriber.status === 'subscribed') return true
      setStatus(tx, subscriber, 'subscribed')
      note(tx, id, 'confirmed', proof)
      return true
    },

    /**
     * Takes a subscriber off the list; belongs into a transaction. Again is harmless.
     * @param by themselves (`left`), or staff (`removed`, `blocked`)
     */
    leave(
      tx: Transaction,
      subscriber: Subscriber,
      by: 'left' | 'removed' | 'blocked' = 'left',
    ): void {
      const status = by === 'blocked' ? 'blocked' : 'unsubscribed'
      if (subscriber.status === status || subscriber.status === 'blocked') return
      setStatus(tx, subscriber, status)
      note(tx, subscriber.id, by)
    },

    /**
     * Takes over an address from elsewhere; belongs into a transaction. Who left or was blocked
     * here stays so.
     * @param consent what staff know about the consent
     */
    import(
      tx: Transaction,
      { email, name, status }: { email: string; name: string; status: SubscriberStatus },
      consent: string,
    ): 'added' | 'changed' | 'kept' {
      const known = find(email)
      const final = known?.status === 'unsubscribed' || known?.status === 'blocked'
      if (known && (final || known.status === status || status === 'pending')) return 'kept'
      const subscriber = known ?? add(tx, email, name, status)
      if (known) setStatus(tx, known, status)
      note(tx, subscriber.id, 'imported', { note: consent })
      return known ? 'changed' : 'added'
    },
  }
}
