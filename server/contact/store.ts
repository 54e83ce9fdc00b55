import { hourMs } from '#shared/dates/durations.ts'
import { contactFields, type TicketStatus } from '#shared/contact/contact.ts'
import { createAddresses } from '../db/addresses.ts'
import type { Transaction } from '../db/group-commit.ts'
import { thingsWithWords } from '../contributions/desk-source.ts'
import { batchSize } from '../db/in-batches.ts'
import type { Database } from '../db/open.ts'
import { createRowSearch } from '../db/row-search.ts'
import { integer, listOf, query, text, type NewRowOf } from '../db/table.ts'
import {
  ticketCareShape,
  ticketMessages,
  tickets,
  ticketShape,
  type Ticket,
  type TicketCare,
  type TicketFilter,
  type TicketSearch,
  type TicketMessage,
} from './schema.ts'

/** The tickets; the only place with their SQL. */
export type TicketStore = ReturnType<typeof createTicketStore>

/** Creates the store. */
export function createTicketStore(db: Database) {
  const select = (rest: string) =>
    query(db, `SELECT ${listOf(ticketShape)} FROM tickets ${rest}`, ticketShape)
  const count = (condition: string) =>
    query(db, `SELECT count(*) AS count FROM tickets WHERE ${condition}`, { count: integer() })
  const ids = (rest: string) =>
    query(db, `SELECT ticket_id AS ticketId FROM tickets ${rest}`, { ticketId: text() })

  const one = select('WHERE ticket_id = :ticketId')
  const byId = select('WHERE id = :id')
  const ofEmail = select('WHERE email = :email COLLATE NOCASE ORDER BY id')
  const list = select(`WHERE received_at >= :from AND received_at < :before
    AND (:status IS NULL OR status = :status) ORDER BY received_at, id`)
  const newest = select(`WHERE received_at >= :from AND received_at < :before
    AND (:status IS NULL OR status = :status) AND (:email IS NULL OR email = :email COLLATE NOCASE)
    ORDER BY received_at DESC, id DESC`)
  const listed = count(`received_at >= :from AND received_at < :before
    AND (:status IS NULL OR status = :status) AND (:email IS NULL OR email = :email COLLATE NOCASE)`)
  const withStatus = select('WHERE status = :status ORDER BY received_at DESC, id DESC')
  const dueBetween = select(
    `WHERE status IN ('new', 'open') AND due_at >= :from AND due_at < :before ORDER BY due_at, id`,
  )
  const ofClient = select(`WHERE email COLLATE NOCASE IN (SELECT value FROM json_each(:emails))
    AND verified_at IS NOT NULL AND status NOT IN ('spam', 'quarantined')
    ORDER BY received_at DESC LIMIT :max`)
  const overdue = select(`WHERE status IN ('new', 'open') AND due_at < :now ORDER BY due_at, id`)

  const known = ids('WHERE ticket_id IN (SELECT value FROM json_each(:ids))')
  const numbered = ids(`WHERE ticket_id IN (SELECT value FROM json_each(:candidates))
    AND email = :email COLLATE NOCASE ORDER BY id DESC LIMIT 1`)
  const old = ids(`WHERE received_at < :before
    OR (status = 'quarantined' AND received_at < :quarantinedBefore) LIMIT ${batchSize}`)

  const quarantined = count(`status = 'quarantined'`)
  // Messages from while the clock was ahead would count until then, which may be years.
  const since = `received_at > :now - :ms AND received_at <= :now + ${hourMs}`
  const ofNetwork = count(`network = :network AND ${since}`)
  const unprovenOfNetwork = count(`proven = 0 AND network = :network AND ${since}`)
  const unprovenOfEmail = count(`proven = 0 AND email = :email COLLATE NOCASE AND ${since}`)

  const contentHash = query(
    db,
    'SELECT content_hash AS contentHash FROM tickets WHERE ticket_id = :ticketId',
    { contentHash: text() },
  )
  const insert = tickets.insert(db)
  const setStatus = db.prepareWrite(`UPDATE tickets SET status = :status, sequence = sequence + 1,
    closed_at = CASE WHEN :status IN ('closed', 'spam') THEN coalesce(closed_at, :now) END
    WHERE ticket_id = :ticketId`)
  const assign = db.prepareWrite(`UPDATE tickets SET assignee = :assignee, sequence = sequence + 1
    WHERE ticket_id = :ticketId`)
  const promise = tickets.update(db, ['dueAt'], 'WHERE ticket_id = :ticketId')
  const touch = db.prepareWrite(
    'UPDATE tickets SET sequence = sequence + 1 WHERE ticket_id = :ticketId',
  )
  const care = query(
    db,
    `SELECT ${listOf(ticketCareShape)} FROM tickets WHERE ticket_id = :ticketId`,
    ticketCareShape,
  )
  const bySecret = select('WHERE secret = :secret')
  const addMessage = ticketMessages.insert(db)
  const messageOfKey = ticketMessages.select(db, 'WHERE key = :key')
  const messageOfId = ticketMessages.select(db, 'WHERE id = :id')
  const messages = ticketMessages.select(db, 'WHERE ticket_id = :ticketId ORDER BY id')
  const verify = db.prepareWrite(
    'UPDATE tickets SET verified_at = coalesce(verified_at, :now) WHERE ticket_id = :ticketId',
  )
  const remove = db.prepareWrite(`DELETE FROM tickets
    WHERE ticket_id IN (SELECT value FROM json_each(:ids))`)

  return {
    find: (ticketId: string): Ticket | null => one.get({ ticketId }),
    findId: (id: number): Ticket | null => byId.get({ id }),
    /** Finds the ids of tickets by number, name, address, subject and text. */
    search: createRowSearch(db, 'tickets', ['ticket_id', ...contactFields]),

    /** The ticket number among some words that belongs to a ticket of an address. */
    findNumber: (candidates: readonly string[], email: string): string | null =>
      numbered.get({ candidates: JSON.stringify(candidates), email })?.ticketId ?? null,

    /** Tickets in the order in which they came, one at a time, so an export of any size fits. */
    *list({
      from = 0,
      before = Number.MAX_SAFE_INTEGER,
      status,
    }: TicketFilter = {}): Generator<Ticket> {
      yield* list.iterate({ from, before, status: status ?? null })
    },

    /**
     * The newest tickets that fit.
     * @param search words, each of which has to be in the number, name, address, subject or text
     */
    newest: ({
      from = 0,
      before = Number.MAX_SAFE_INTEGER,
      status,
      email,
      search = [],
      limit = Infinity,
    }: TicketSearch): Ticket[] =>
      thingsWithWords(
        newest.iterate({ from, before, status: status ?? null, email: email ?? null }),
        {
          words: search,
          limit,
          textsOf: ({ ticketId, ...ticket }) => [
            ticketId,
            ...contactFields.map((field) => ticket[field]),
          ],
        },
      ),

    /** Tickets as a list shows them: the newest first, one at a time. */
    *listed({ from = 0, before = Number.MAX_SAFE_INTEGER, status, email }: TicketSearch) {
      yield* newest.iterate({ from, before, status: status ?? null, email: email ?? null })
    },
    /** How many of them there are. */
    count: ({ from = 0, before = Number.MAX_SAFE_INTEGER, status, email }: TicketSearch): number =>
      listed.get({ from, before, status: status ?? null, email: email ?? null })!.count,

    /** Tickets with a status, the newest first. */
    withStatus: (status: TicketStatus): Ticket[] => withStatus.all({ status }),

    /** Tickets without an answer that are due from an instant on and before another, the first due first. */
    dueBetween: (from: number, before: number): Ticket[] => dueBetween.all({ from, before }),

    /** Those among some IDs that belong to tickets. */
    known: (some: readonly string[]): ReadonlySet<string> =>
      new Set(known.all({ ids: JSON.stringify(some) }).map(({ ticketId }) => ticketId)),

    /** Tickets that are known to come from a client's addresses and aren't spam, newest first. */
    ofClient: (emails: readonly string[], max: number): Ticket[] =>
      ofClient.all({ emails: JSON.stringify(emails), max }),

    /** Tickets whose promised reply is late, the latest first. */
    overdue: (now: number): Ticket[] => overdue.all({ now }),

    /** Every ticket of an address, spam and quarantined ones too. */
    ofEmail: (email: string): Ticket[] => ofEmail.all({ email }),
    addresses: createAddresses(db, 'tickets'),

    /** The numbers of a batch of tickets that are not kept any longer. */
    old: (limits: { before: number; quarantinedBefore: number }): string[] =>
      old.all(limits).map(({ ticketId }) => ticketId),

    /** How many tickets wait in quarantine. */
    quarantined: (): number => quarantined.get()!.count,

    /** How many messages a network has sent in the last so many milliseconds. */
    countOfNetwork: (network: string, { now, ms }: { now: number; ms: number }): number =>
      ofNetwork.get({ network, now, ms })!.count,

    /** How many of those without a form proof a network or an address has sent. */
    countUnproven: (
      of: { network: string } | { email: string },
      { now, ms }: { now: number; ms: number },
    ): number =>
      ('network' in of ? unprovenOfNetwork : unprovenOfEmail).get({ ...of, now, ms })!.count,

    /** What tells a ticket's message from another; null when there is no such ticket. */
    contentHash: (ticketId: string): string | null =>
      contentHash.get({ ticketId })?.contentHash ?? null,

    insert: (tx: Transaction, ticket: NewRowOf<typeof tickets>): void => void insert(tx, ticket),

    setStatus: (tx: Transaction, ticketId: string, status: TicketStatus, now: number): void =>
      void setStatus.run(tx, { ticketId, status, now }),

    /** @param assignee a name of staff; null for no one */
    assign: (tx: Transaction, ticketId: string, assignee: string | null): void =>
      void assign.run(tx, { ticketId, assignee }),

    /** Sets a new due time for the reply. */
    promise: (tx: Transaction, ticketId: string, dueAt: number): void =>
      void promise(tx, { dueAt }, { ticketId }),

    /** What only pages and acts need of a ticket. @throws when it is gone */
    care(ticketId: string): TicketCare {
      const found = care.get({ ticketId })
      if (!found) throw new Error(`Ticket ${ticketId} is gone.`)
      return found
    },
    findSecret: (secret: string): Ticket | null => bySecret.get({ secret }),

    /** Keeps a later message, which counts as a change of its ticket. */
    addMessage(tx: Transaction, message: NewRowOf<typeof ticketMessages>): TicketMessage {
      touch.run(tx, { ticketId: message.ticketId })
      return addMessage(tx, message)!
    },
    /** The message that a form's key became; null while it became none. */
    messageOfKey: (key: string): TicketMessage | null => messageOfKey.get({ key }),
    findMessage: (id: number): TicketMessage | null => messageOfId.get({ id }),
    /** Later messages, in order. */
    messages: (ticketId: string): TicketMessage[] => messages.all({ ticketId }),

    /** Records that the sender owns the address, if that wasn't known. */
    verify: (tx: Transaction, ticketId: string, now: number): void =>
      void verify.run(tx, { ticketId, now }),

    remove: (tx: Transaction, some: readonly string[]): void =>
      void remove.run(tx, { ids: JSON.stringify(some) }),
  }
}
