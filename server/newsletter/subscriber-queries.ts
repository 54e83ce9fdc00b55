import type { SubscriberStatus } from '#shared/newsletter.ts'
import type { Database } from '../db/open.ts'
import { subscriberColumns, type Subscriber, type SubscriberEvent } from './subscriber.ts'

/** Which addresses to list: written down from (inclusive) and before, with a status. */
type SubscriberFilter = { from?: number; before?: number; status?: SubscriberStatus }

/** Prepares the statements that read the list. */
export function createSubscriberQueries(db: Database) {
  const byEmail = db.prepare(`SELECT ${subscriberColumns} FROM subscribers WHERE email = :email`)
  const byId = db.prepare(`SELECT ${subscriberColumns} FROM subscribers WHERE id = :id`)
  const byToken = db.prepare(
    `SELECT ${subscriberColumns} FROM subscribers WHERE leave_token = :token`,
  )
  const history = db.prepare(`SELECT at, kind, policy, source, network, note
    FROM subscriber_events WHERE subscriber = :id ORDER BY id`)
  const list = db.prepare(`SELECT ${subscriberColumns} FROM subscribers
    WHERE created_at >= :from AND created_at < :before AND (:status IS NULL OR status = :status)
    ORDER BY id`)
  const recipients = db.prepare(`SELECT ${subscriberColumns} FROM subscribers
    WHERE status = 'subscribed' AND id > :after ORDER BY id LIMIT :most`)
  const counts = db.prepare('SELECT status, count(*) AS count FROM subscribers GROUP BY status')

  return {
    find: (email: string) => (byEmail.get({ email }) as Subscriber | undefined) ?? null,
    findId: (id: number) => (byId.get({ id }) as Subscriber | undefined) ?? null,
    findToken: (token: string) => (byToken.get({ token }) as Subscriber | undefined) ?? null,
    history: (id: number) => history.all({ id }) as SubscriberEvent[],

    /** The list in the order in which it grew, one at a time, so that any number fits. */
    *list({
      from = 0,
      before = Number.MAX_SAFE_INTEGER,
      status,
    }: SubscriberFilter = {}): Generator<Subscriber> {
      for (const row of list.iterate({ from, before, status: status ?? null })) {
        yield row as Subscriber
      }
    },

    /** The next subscribers after an id, for sending in batches. */
    recipients: (after: number, most: number) => recipients.all({ after, most }) as Subscriber[],

    counts: () => counts.all() as { status: SubscriberStatus; count: number }[],
  }
}
