import type { SubscriberStatus } from '#shared/newsletter.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'
import { nextConfirmation } from './confirmation-limits.ts'
import type { Subscriber } from './subscriber.ts'
import { createSubscriberChanges } from './subscriber-changes.ts'
import { createSubscriberQueries } from './subscriber-queries.ts'
import { createSubscriberRetention } from './subscriber-retention.ts'

/** The list; the only place with its SQL. */
export type Subscribers = ReturnType<typeof createSubscribers>

/** Prepares the statements of the list. */
export function createSubscribers(db: Database, { clock }: { clock: () => number }) {
  const grant =
    db.prepareWrite(`INSERT INTO subscriber_confirmations (subscriber, network, at, due_at)
    VALUES (:subscriber, :network, :now, :dueAt)`)
  const granting = nextConfirmation(db)
  const queries = createSubscriberQueries(db)
  const { find, findId } = queries
  const { add, rename, setStatus, note } = createSubscriberChanges(db, { clock })

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
      if (name) rename(tx, subscriber, name)
      note(tx, subscriber, 'asked', proof)
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
      note(tx, subscriber, 'confirmed', proof)
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
      note(tx, subscriber, by)
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
      note(tx, subscriber, 'imported', { note: consent })
      return known ? 'changed' : 'added'
    },
  }
}
