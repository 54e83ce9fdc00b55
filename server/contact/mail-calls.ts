import { hash } from 'node:crypto'
import type { Logger } from 'pino'
import type { MailCall } from '#shared/contact.ts'
import { failure } from '#shared/failures.ts'
import type { TicketStore } from './store.ts'
import type { Transaction } from '../db/group-commit.ts'
import { batchSize } from '../db/in-batches.ts'
import type { Database } from '../db/open.ts'
import { readCall, type CallData } from './read-mail-call.ts'
import type { MailStore } from '../mail/store.ts'

/** Milliseconds that a call waits for its ticket. */
const patience = 10 * 60_000

/** Calls whose text is kept, since no ticket is known: how many, and how many bytes of text. */
const keptMost = {
  network: { calls: 60, bytes: 1024 * 1024 },
  inAll: { calls: 2000, bytes: 20 * 1024 * 1024 },
} as const

/** Rows of calls in all; of more, the oldest that are settled are forgotten. */
const mostRows = 20_000

/** Notices without a ticket that are delivered per hour; more are held for staff. */
const deliveredPerHour = { network: 5, inAll: 60 } as const

/** Milliseconds after which a settled or held call is forgotten. */
const keptFor = 30 * 86_400_000

/** What a call comes to: it waits, its ticket was found, its text was delivered, or neither. */
type CallOutcome = 'waiting' | 'matched' | 'delivered' | 'unmatched' | 'held'

/** A remembered call of POST /api/send-email. */
export type RememberedCall = {
  readonly id: number
  readonly kind: 'notice' | 'confirmation'
  readonly ticketId: string | null
  readonly receivedAt: number
  readonly outcome: CallOutcome
  /** JSON of {@link CallData}, while it is needed. */
  readonly data: string | null
}

/** The remembered calls; the only place with their SQL. */
export type MailCalls = ReturnType<typeof createMailCalls>

const columns = 'id, kind, ticket_id AS ticketId, received_at AS receivedAt, outcome, data'

/**
 * Remembers the calls of POST /api/send-email. A call never becomes a mail by itself: the ticket
 * that it names has its own two mails, however often and in whatever order the calls come. Only a
 * notice whose ticket stays away is passed on to staff, because losing an enquiry is worse.
 */
export function createMailCalls({
  db,
  clock,
  log,
  tickets,
  mails,
}: {
  db: Database
  clock: () => number
  log: Logger
  tickets: TicketStore
  mails: MailStore
}) {
  const known = db.prepare('SELECT 1 FROM mail_calls WHERE digest = :digest')
  const insert = db
    .prepareWrite(`INSERT INTO mail_calls
      (kind, ticket_id, digest, network, received_at, outcome, data, bytes)
    VALUES (:kind, :ticketId, :digest, :network, :now, :outcome, :data, :bytes) RETURNING id`)
    .pluck()
  const keptOf = db.prepare(`SELECT count(*) AS calls, coalesce(sum(bytes), 0) AS bytes
    FROM mail_calls WHERE outcome IN ('waiting', 'held') AND network = :network`)
  const kept = db.prepare(`SELECT count(*) AS calls, coalesce(sum(bytes), 0) AS bytes
    FROM mail_calls WHERE outcome IN ('waiting', 'held')`)
  const forgetBefore = db.prepareWrite(`DELETE FROM mail_calls
    WHERE id <= :id AND outcome NOT IN ('waiting', 'held')`)
  const isOverdue = db.prepare(`SELECT 1 FROM mail_calls
    WHERE outcome = 'waiting' AND received_at <= :before LIMIT 1`)
  const overdue = db.prepare(`SELECT ${columns}, network FROM mail_calls
    WHERE outcome = 'waiting' AND received_at <= :before ORDER BY received_at LIMIT 50`)
  const settle = db.prepareWrite(`UPDATE mail_calls
    SET outcome = :outcome, ticket_id = :ticketId, data = :data, bytes = :bytes WHERE id = :id`)
  const delivered = db.prepare(`SELECT count(*) AS inAll,
      count(*) FILTER (WHERE network = :network) AS network
    FROM mail_calls WHERE received_at > :after AND outcome = 'delivered'`)
  const ofTicket = db.prepare(`SELECT ${columns} FROM mail_calls
    WHERE ticket_id = :ticketId ORDER BY id`)
  const held = db.prepare(`SELECT ${columns} FROM mail_calls WHERE outcome = 'held' ORDER BY id`)
  const about = db.prepare(`SELECT ${columns} FROM mail_calls
    WHERE instr(lower(data), lower(:quoted)) > 0 ORDER BY id`)
  const erase = db.prepareWrite(
    'DELETE FROM mail_calls WHERE instr(lower(data), lower(:quoted)) > 0',
  )
  const heldCount = db.prepare("SELECT count(*) FROM mail_calls WHERE outcome = 'held'").pluck()
  const forget = db.prepareWrite(`DELETE FROM mail_calls WHERE id IN (SELECT id FROM mail_calls
    WHERE received_at < :before AND outcome <> 'waiting' LIMIT ${batchSize})`)

  /** The ticket that a call is about, once it is there. */
  const ticketOf = (kind: string, ticketId: string | null, data: CallData): string | null => {
    if (kind === 'notice') return ticketId && tickets.find(ticketId) ? ticketId : null
    return tickets.findNumber(data.candidates ?? [], data.to ?? '')
  }

  /** @throws too-many when no more text is kept */
  const makeRoom = (network: string, bytes: number) => {
    type Kept = { calls: number; bytes: number }
    const isFull = (is: Kept, most: Kept) => is.calls >= most.calls || is.bytes + bytes > most.bytes
    const full =
      isFull(keptOf.get({ network }) as Kept, keptMost.network) ||
      isFull(kept.get() as Kept, keptMost.inAll)
    if (full) throw failure('too-many', { retryAfter: patience / 1000 })
  }

  type Overdue = RememberedCall & { network: string }

  const settleOne = (tx: Transaction, { id, kind, receivedAt, network, ...call }: Overdue) => {
    const data = JSON.parse(call.data ?? '{}') as CallData
    const end = (outcome: CallOutcome, ticketId: string | null) =>
      settle.run(tx, { id, outcome, ticketId, data: null, bytes: 0 })
    const ticketId = ticketOf(kind, call.ticketId, data)
    if (ticketId) return end('matched', ticketId)
    if (kind === 'confirmation') {
      log.warn({ event: 'mail.unmatched', call: id }, 'a confirmation call had no ticket')
      return end('unmatched', null)
    }
    const before = delivered.get({ network, after: receivedAt - 3_600_000 }) as Record<
      'network' | 'inAll',
      number
    >
    if (before.network >= deliveredPerHour.network || before.inAll >= deliveredPerHour.inAll) {
      const bytes = Buffer.byteLength(call.data ?? '')
      return settle.run(tx, { ...call, id, outcome: 'held', bytes })
    }
    // Numbers of forgotten calls come again, so a number alone would be no key.
    mails.enqueue(tx, 'recordMissing', { key: `call-${id}-${receivedAt}`, data })
    log.warn(
      { event: 'mail.record-missing', call: id, ticketId: call.ticketId },
      'a notice call had no ticket',
    )
    return end('delivered', call.ticketId)
  }

  return {
    /**
     * Remembers a call. The same call again changes nothing.
     * @param network keyed hash of the sender's network
     * @throws too-many when the text of too many calls is kept already, of this network or in all
     */
    remember(tx: Transaction, call: MailCall, network: string): void {
      const { kind, ticketId, data } = readCall(call)
      const digest = hash('sha256', JSON.stringify([kind, call]), 'base64url')
      if (known.get({ digest }) !== undefined) return
      const found = ticketOf(kind, ticketId, data)
      const text = found ? null : JSON.stringify(data)
      const bytes = Buffer.byteLength(text ?? '')
      if (text !== null) makeRoom(network, bytes)
      const id = insert.get(tx, {
        kind,
        ticketId: found ?? ticketId,
        digest,
        network,
        now: clock(),
        outcome: found ? 'matched' : 'waiting',
        data: text,
        bytes,
      }) as number
      forgetBefore.run(tx, { id: id - mostRows })
    },

    /** Settles the calls that have waited long enough. */
    async settleOverdue(): Promise<void> {
      const before = clock() - patience
      if (isOverdue.get({ before }) === undefined) return
      await db.commit((tx) => {
        for (const call of overdue.all({ before }) as Overdue[]) settleOne(tx, call)
      })
    },

    /** The calls about one ticket, oldest first. */
    ofTicket: (ticketId: string) => ofTicket.all({ ticketId }) as RememberedCall[],

    /** Notices without a ticket beyond what is delivered; their text is kept for staff. */
    held: () => held.all() as RememberedCall[],

    /** Calls whose text is kept and that name an address. */
    about: (email: string) => about.all({ quoted: JSON.stringify(email) }) as RememberedCall[],

    /** Erases those calls; belongs into a transaction. @returns how many */
    erase: (tx: Transaction, email: string): number =>
      erase.run(tx, { quoted: JSON.stringify(email) }).changes,

    /** How many of them there are. */
    heldCount: () => heldCount.get() as number,

    /** Forgets a batch of calls that came long ago. @returns how many */
    forgetOld: (tx: Transaction): number => forget.run(tx, { before: clock() - keptFor }).changes,
  }
}
