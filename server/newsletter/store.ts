import { dayMs, hourMs } from '#shared/dates/durations.ts'
import type { SubscriberStatus } from '#shared/newsletter.ts'
import { createAddresses } from '../db/addresses.ts'
import type { Transaction } from '../db/group-commit.ts'
import { batchSize, inBatches } from '../db/in-batches.ts'
import { newNumber } from '../db/numbers.ts'
import type { Database } from '../db/open.ts'
import { createRowSearch } from '../db/row-search.ts'
import { integer, listOf, nullable, query } from '../db/table.ts'
import { spellingsOf } from '../mail/recipient.ts'
import { newSecret } from '../secrets/ids.ts'
import {
  confirmations,
  subscriberEvents,
  subscribers,
  type Subscriber,
  type SubscriberEvent,
  type SubscriberEventKind,
} from './schema.ts'
import { tokenOfSubject } from './tokens.ts'

/** The list; the only place with its SQL. */
export type Subscribers = ReturnType<typeof createSubscribers>

/** Prepares the statements of the list. */
export function createSubscribers(db: Database, { clock }: { clock: () => number }) {
  const grant = confirmations.insert(db)
  const granting = nextConfirmation(db)
  const reader = createReader(db)
  const { find, findId } = reader
  const findSpelt = (email: string) =>
    spellingsOf(email).reduce<Subscriber | null>((found, each) => found ?? find(each), null)
  const { add, rename, dropName, setStatus, note } = createWriter(db, { clock })

  return {
    ...reader,
    ...createRetention(db, { clock }),

    /**
     * Notes that an address asked for the newsletter. Call inside the transaction that
     * queues the email.
     * @param proof `network` is the keyed hash of the client's network
     * @returns the subscriber and when the confirmation email may go out; null when none may, for
     *   whatever reason, which no one is told
     */
    ask(
      tx: Transaction,
      { email, name }: { email: string; name: string },
      proof: { network: string; policy: string; source: string | null },
    ): { subscriber: Subscriber; dueAt: number } | null {
      const now = clock()
      const known = findSpelt(email)
      if (known?.status === 'subscribed' || known?.status === 'blocked') return null
      const dueAt = granting({ subscriber: known?.id ?? null, network: proof.network, now })
      if (dueAt === null) return null
      const subscriber = known ?? add(tx, email, name, 'pending')
      if (name) rename(tx, subscriber, name)
      note(tx, subscriber, 'asked', proof)
      grant(tx, { subscriber: subscriber.id, network: proof.network, at: now, dueAt })
      return { subscriber, dueAt }
    },

    /**
     * Puts a subscriber on the list who pressed the button of the confirmation. Call inside
     * a transaction.
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
     * Takes a subscriber off the list; what stays is the address and that it left, so the name goes. Call
     * inside a transaction. Again is harmless.
     * @param by themselves (`left`), or staff (`removed`, `blocked`)
     * @param why what is noted with it
     */
    leave(
      tx: Transaction,
      subscriber: Subscriber,
      by: 'left' | 'removed' | 'blocked' = 'left',
      why: string | null = null,
    ): void {
      const status = by === 'blocked' ? 'blocked' : 'unsubscribed'
      if (subscriber.status === status || subscriber.status === 'blocked') return
      setStatus(tx, subscriber, status)
      dropName(tx, subscriber)
      note(tx, subscriber, by, { note: why })
    },

    /**
     * Takes over an address from elsewhere. Call inside a transaction. Who left or was blocked
     * here stays so.
     * @param consent what staff know about the consent
     */
    import(
      tx: Transaction,
      { email, name, status }: { email: string; name: string; status: SubscriberStatus },
      consent: string,
    ): 'added' | 'changed' | 'kept' {
      const known = findSpelt(email)
      const final = known?.status === 'unsubscribed' || known?.status === 'blocked'
      if (known && (final || known.status === status || status === 'pending')) return 'kept'
      const hasLeft = status === 'unsubscribed' || status === 'blocked'
      const subscriber = known ?? add(tx, email, hasLeft ? '' : name, status)
      if (known) setStatus(tx, known, status)
      if (hasLeft) dropName(tx, subscriber)
      note(tx, subscriber, 'imported', { note: consent })
      return known ? 'changed' : 'added'
    },
  }
}

/** What proves an event of a subscription. */
type Proof = Partial<Pick<SubscriberEvent, 'policy' | 'source' | 'network' | 'note'>>

/** Prepares the statements that write subscribers and their histories. */
function createWriter(db: Database, { clock }: { clock: () => number }) {
  const insert = subscribers.insert(db, '', { id: newNumber('subscribers') })
  const rename = db.prepareWrite("UPDATE subscribers SET name = :name WHERE id = :id AND name = ''")
  const unname = db.prepareWrite("UPDATE subscribers SET name = '' WHERE id = :id")
  const change = db.prepareWrite(`UPDATE subscribers
    SET status = :status, since = :now, round = round + :rounds WHERE id = :id`)
  const write = subscriberEvents.insert(db)

  return {
    add(tx: Transaction, email: string, name: string, status: SubscriberStatus): Subscriber {
      const now = clock()
      const row = { email, name, status, secret: newSecret(), leaveToken: newSecret() }
      return insert(tx, { ...row, createdAt: now, since: now }, { now })!
    },

    /** Gives a subscriber without a name one. */
    rename: (tx: Transaction, { id }: Subscriber, name: string) =>
      void rename.run(tx, { id, name }),

    /** Forgets a subscriber's name. */
    dropName: (tx: Transaction, { id }: Subscriber) => void unname.run(tx, { id }),

    /** Changes a status; leaving the list begins another round. */
    setStatus: (tx: Transaction, { id }: Subscriber, status: SubscriberStatus) =>
      void change.run(tx, { id, status, now: clock(), rounds: status === 'subscribed' ? 0 : 1 }),

    /** Notes what happened to a subscription. */
    note(tx: Transaction, { id }: Subscriber, kind: SubscriberEventKind, proof: Proof = {}): void {
      const { policy = null, source = null, network = null, note = null } = proof
      write(tx, { subscriber: id, kind, at: clock(), policy, source, network, note })
    },
  }
}

/** Which addresses to list: written down from (inclusive) and before, with a status. */
type SubscriberFilter = {
  from?: number | undefined
  before?: number | undefined
  status?: SubscriberStatus | undefined
}

/** Prepares the statements that read the list. */
function createReader(db: Database) {
  const byEmail = subscribers.select(db, 'WHERE email = :email')
  const byId = subscribers.select(db, 'WHERE id = :id')
  const bySecret = subscribers.select(db, 'WHERE secret = :secret')
  const byToken = subscribers.select(db, 'WHERE leave_token = :token')
  const { id: _, subscriber: __, ...line } = subscriberEvents.shape
  const history = query(
    db,
    `SELECT ${listOf(line)} FROM subscriber_events WHERE subscriber = :id ORDER BY id`,
    line,
  )
  const list = subscribers.select(
    db,
    `WHERE created_at >= :from AND created_at < :before AND (:status IS NULL OR status = :status)
    ORDER BY id`,
  )
  const newest = subscribers.select(
    db,
    `WHERE created_at >= :from AND created_at < :before AND (:status IS NULL OR status = :status)
    ORDER BY id DESC`,
  )
  const recipients = subscribers.select(
    db,
    "WHERE status = 'subscribed' AND id > :after ORDER BY id LIMIT :max",
  )
  const counts = query(db, 'SELECT status, count(*) AS count FROM subscribers GROUP BY status', {
    status: subscribers.shape.status,
    count: integer(),
  })

  return {
    find: (email: string): Subscriber | null => byEmail.get({ email }),
    addresses: createAddresses(db, 'subscribers'),
    findId: (id: number): Subscriber | null => byId.get({ id }),
    /** Finds the ids of subscribers by address and name. */
    search: createRowSearch(db, 'subscribers', ['email', 'name']),
    findSecret: (secret: string): Subscriber | null => bySecret.get({ secret }),
    findToken: (token: string): Subscriber | null => byToken.get({ token }),
    /** Whom the subject of an email unsubscribes. */
    ofSubject: (subject: string): Subscriber | null =>
      byToken.get({ token: tokenOfSubject(subject) ?? '' }),
    history: (id: number): SubscriberEvent[] => history.all({ id }),

    /** The list in the order in which it grew, one at a time, so any number fits. */
    list: ({
      from = 0,
      before = Number.MAX_SAFE_INTEGER,
      status,
    }: SubscriberFilter = {}): IterableIterator<Subscriber> =>
      list.iterate({ from, before, status: status ?? null }),

    /** The same, the newest first. */
    newest: ({
      from = 0,
      before = Number.MAX_SAFE_INTEGER,
      status,
    }: SubscriberFilter = {}): IterableIterator<Subscriber> =>
      newest.iterate({ from, before, status: status ?? null }),

    /** The next subscribers after an id, for sending in batches. */
    recipients: (after: number, max: number): Subscriber[] => recipients.all({ after, max }),

    /** How many addresses have a status. */
    count: (status: SubscriberStatus): number =>
      counts.all().find((row) => row.status === status)?.count ?? 0,
  }
}

/** How many confirmation emails may go out, so the form cannot be used to flood mailboxes. */
const limits = {
  /** One to an address in this time. */
  address: dayMs,
  /** From one network per hour. */
  network: 5,
  /** From all of them per hour; what comes on top waits its turn. */
  everyone: 200,
  /** An email that would have to wait longer than this is dropped. */
  maxDelayMs: dayMs,
} as const

/**
 * Prepares the decision on a confirmation email.
 * @returns a function: when the email may go out (milliseconds of the epoch), or null for not at all
 */
function nextConfirmation(db: Database) {
  // What was granted while the clock was ahead would count until then, which may be years.
  const since = `at > :after AND at <= :now + ${hourMs}`
  const toAddress = query(
    db,
    `SELECT count(*) AS count FROM subscriber_confirmations
      WHERE subscriber = :subscriber AND ${since}`,
    { count: integer() },
  )
  const fromNetwork = query(
    db,
    `SELECT count(*) AS count FROM subscriber_confirmations
      WHERE network = :network AND ${since}`,
    { count: integer() },
  )
  const earlier = query(
    db,
    `SELECT due_at AS dueAt FROM subscriber_confirmations WHERE at <= :now + ${hourMs}
      ORDER BY due_at DESC LIMIT 1 OFFSET ${limits.everyone - 1}`,
    { dueAt: nullable(integer()) },
  )

  return ({
    subscriber,
    network,
    now,
  }: {
    subscriber: number | null
    network: string
    now: number
  }): number | null => {
    if (toAddress.get({ subscriber, after: now - limits.address, now })!.count > 0) return null
    if (fromNetwork.get({ network, after: now - hourMs, now })!.count >= limits.network) return null
    // A whole hour's worth lies between any email and the one that many before it.
    const before = earlier.get({ now })?.dueAt ?? -Infinity
    const dueAt = Math.max(now, before + hourMs)
    return dueAt - now > limits.maxDelayMs ? null : dueAt
  }
}

/** Milliseconds for which a client's network, and an address that asked and never confirmed, are kept. */
const keptMs = 30 * dayMs

/** Prepares the statements by which addresses are erased, and what has served its time forgotten. */
function createRetention(db: Database, { clock }: { clock: () => number }) {
  const erase = db.prepareWrite('DELETE FROM subscribers WHERE email = :email')
  const forgetNetworks = db.prepareWrite(`UPDATE subscriber_events SET network = NULL
    WHERE id IN (SELECT id FROM subscriber_events
      WHERE network IS NOT NULL AND at < :before LIMIT ${batchSize})`)
  // Whoever asked again has another link, which is good for a week.
  const forgetPending = db.prepareWrite(`DELETE FROM subscribers WHERE id IN (SELECT id
    FROM subscribers WHERE status = 'pending' AND since < :before AND NOT EXISTS (SELECT 1
      FROM subscriber_events WHERE subscriber = subscribers.id AND kind = 'asked' AND at >= :before)
    LIMIT ${batchSize})`)
  const forgetGrants = db.prepareWrite(`DELETE FROM subscriber_confirmations WHERE id IN (SELECT id
    FROM subscriber_confirmations WHERE at < :before LIMIT ${batchSize})`)

  return {
    /** Forgets an address with its whole history. @returns whether it was there */
    erase: (tx: Transaction, email: string): boolean => erase.run(tx, { email }).changes === 1,

    /** Forgets what has served its time: networks, addresses that never confirmed, old limits. */
    async forgetOld(): Promise<void> {
      const before = clock() - keptMs
      await inBatches(db.commit, (tx) => forgetNetworks.run(tx, { before }).changes)
      await inBatches(db.commit, (tx) => forgetPending.run(tx, { before }).changes)
      const grants = { before: clock() - 3 * dayMs }
      await inBatches(db.commit, (tx) => forgetGrants.run(tx, grants).changes)
    },
  }
}
