import { randomBytes } from 'node:crypto'
import type { SubscriberStatus } from '#shared/newsletter.ts'
import type { Transaction } from '../db/group-commit.ts'
import { batchSize, inBatches } from '../db/in-batches.ts'
import type { Database } from '../db/open.ts'
import { nextConfirmation } from './confirmation-limits.ts'

/** An address on the list. Times are milliseconds of the epoch. */
export type Subscriber = {
  readonly id: number
  readonly email: string
  readonly name: string
  readonly status: SubscriberStatus
  /** Counts on when somebody leaves; a confirmation link is good for one round. */
  readonly round: number
  readonly leaveToken: string
  readonly createdAt: number
  /** When the status came about. */
  readonly since: number
}

/** What happened to a subscription; `asked` and `confirmed` together prove consent. */
type SubscriberEventKind = 'asked' | 'confirmed' | 'left' | 'removed' | 'imported' | 'blocked'

/** Which addresses to list: written down from (inclusive) and before, with a status. */
type SubscriberFilter = { from?: number; before?: number; status?: SubscriberStatus }

/** One line of a subscription's history. */
type SubscriberEvent = {
  readonly at: number
  readonly kind: SubscriberEventKind
  readonly policy: string | null
  readonly source: string | null
  readonly network: string | null
  readonly note: string | null
}

type Proof = Partial<Pick<SubscriberEvent, 'policy' | 'source' | 'network' | 'note'>>

/** The list; the only place with its SQL. */
export type Subscribers = ReturnType<typeof createSubscribers>

const columns =
  'id, email, name, status, round, leave_token AS leaveToken, created_at AS createdAt, since'

const day = 86_400_000

/** Milliseconds for which a client's network, and an address that never confirmed, are kept. */
const keptFor = 30 * day

/** Prepares the statements of the list. */
export function createSubscribers(db: Database, { clock }: { clock: () => number }) {
  const insert = db.prepareWrite(`INSERT INTO subscribers
      (email, name, status, leave_token, created_at, since)
    VALUES (:email, :name, :status, :leaveToken, :now, :now)
    ON CONFLICT (email) DO NOTHING RETURNING ${columns}`)
  const byEmail = db.prepare(`SELECT ${columns} FROM subscribers WHERE email = :email`)
  const byId = db.prepare(`SELECT ${columns} FROM subscribers WHERE id = :id`)
  const byToken = db.prepare(`SELECT ${columns} FROM subscribers WHERE leave_token = :token`)
  const rename = db.prepareWrite("UPDATE subscribers SET name = :name WHERE id = :id AND name = ''")
  const change = db.prepareWrite(`UPDATE subscribers
    SET status = :status, since = :now, round = round + :rounds WHERE id = :id`)
  const write = db.prepareWrite(`INSERT INTO subscriber_events
      (subscriber, at, kind, policy, source, network, note)
    VALUES (:subscriber, :now, :kind, :policy, :source, :network, :note)`)
  const history = db.prepare(`SELECT at, kind, policy, source, network, note
    FROM subscriber_events WHERE subscriber = :id ORDER BY id`)
  const list = db.prepare(`SELECT ${columns} FROM subscribers
    WHERE created_at >= :from AND created_at < :before AND (:status IS NULL OR status = :status)
    ORDER BY id`)
  const recipients = db.prepare(`SELECT ${columns} FROM subscribers
    WHERE status = 'subscribed' AND id > :after ORDER BY id LIMIT :most`)
  const counts = db.prepare('SELECT status, count(*) AS count FROM subscribers GROUP BY status')
  const erase = db.prepareWrite('DELETE FROM subscribers WHERE email = :email')
  const grant =
    db.prepareWrite(`INSERT INTO subscriber_confirmations (subscriber, network, at, due_at)
    VALUES (:subscriber, :network, :now, :dueAt)`)
  const granting = nextConfirmation(db)
  const forgetNetworks = db.prepareWrite(`UPDATE subscriber_events SET network = NULL
    WHERE id IN (SELECT id FROM subscriber_events
      WHERE network IS NOT NULL AND at < :before LIMIT ${batchSize})`)
  const forgetPending = db.prepareWrite(`DELETE FROM subscribers WHERE id IN (SELECT id
    FROM subscribers WHERE status = 'pending' AND since < :before LIMIT ${batchSize})`)
  const forgetGrants = db.prepareWrite(`DELETE FROM subscriber_confirmations WHERE id IN (SELECT id
    FROM subscriber_confirmations WHERE at < :before LIMIT ${batchSize})`)

  const find = (email: string) => (byEmail.get({ email }) as Subscriber | undefined) ?? null
  const findId = (id: number) => (byId.get({ id }) as Subscriber | undefined) ?? null
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
    /**
     * Somebody asks for the newsletter; belongs into a transaction, together with the mail.
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
     * Puts somebody on the list who pressed the button of the confirmation; belongs into a
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
     * Takes somebody off the list; belongs into a transaction. Again is harmless.
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

    find,
    findId,
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

    /** Forgets an address with its whole history. @returns whether it was there */
    erase: (tx: Transaction, email: string): boolean => erase.run(tx, { email }).changes === 1,

    /** Forgets what has served its time: networks, addresses that never confirmed, old limits. */
    async forgetOld(): Promise<void> {
      const before = clock() - keptFor
      await inBatches(db.commit, (tx) => forgetNetworks.run(tx, { before }).changes)
      await inBatches(db.commit, (tx) => forgetPending.run(tx, { before }).changes)
      const grants = { before: clock() - 3 * day }
      await inBatches(db.commit, (tx) => forgetGrants.run(tx, grants).changes)
    },
  }
}
