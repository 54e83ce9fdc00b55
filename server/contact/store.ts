import { hash } from 'node:crypto'
import type { ContactRecord, TicketStatus } from '#shared/contact.ts'
import { failure } from '#shared/failures.ts'
import { ticketMonths } from '#shared/legal.ts'
import { replyDue } from '#shared/civil-dates.ts'
import type { Transaction } from '../db/group-commit.ts'
import { batchSize } from '../db/in-batches.ts'
import type { Database } from '../db/open.ts'
import type { Timeline } from '../timeline/timeline.ts'
import type { FormProofs } from '../form-proofs.ts'
import { spamScore, suspicious } from './spam-score.ts'
import { createTicketLimits } from './ticket-limits.ts'

/** A kept message. Times are milliseconds of the epoch. */
export type Ticket = {
  readonly ticketId: string
  readonly status: TicketStatus
  readonly name: string
  readonly email: string
  readonly subject: string
  readonly message: string
  /** The ISO timestamp that the visitor's browser sent. */
  readonly date: string
  readonly receivedAt: number
  readonly dueAt: number
  /** Whether the call carried a form proof of ours. */
  readonly proven: boolean
}

/** Something that staff did with a ticket. */
type TicketChange = {
  readonly at: number
  readonly author: string
  /** `status` or `note`. */
  readonly kind: string
  readonly before: string | null
  readonly after: string
}

/** Which tickets to list: received from (inclusive) and before, with a status. */
export type TicketFilter = { from?: number; before?: number; status?: TicketStatus }

/** Where a ticket came from. */
export type Origin = {
  /** Keyed hash of the sender's network. */
  network: string
  /** A good form proof; whether it was used before is found out here. */
  proof: ReturnType<FormProofs['read']>
  /** Whether the honeypot was filled in. */
  isTrapped: boolean
}

/** The tickets; the only place with their SQL. */
export type TicketStore = ReturnType<typeof createTicketStore>

type Row = Omit<Ticket, 'proven'> & { proven: number }

const columns = `ticket_id AS ticketId, status, name, email, subject, message, sent_at AS date,
  received_at AS receivedAt, due_at AS dueAt, proven`

const toTicket = (row: Row): Ticket => ({ ...row, proven: row.proven === 1 })

/** Prepares the statements of the tickets. */
export function createTicketStore(
  db: Database,
  {
    clock,
    timeline,
    formProofs,
  }: { clock: () => number; timeline: Timeline; formProofs: Pick<FormProofs, 'use'> },
) {
  const insert =
    db.prepareWrite(`INSERT INTO tickets (ticket_id, status, name, email, subject, message,
      sent_at, received_at, due_at, content_hash, network, proven)
    VALUES (:ticketId, :status, :name, :email, :subject, :message,
      :date, :receivedAt, :dueAt, :contentHash, :network, :proven)`)
  const contentHash = db
    .prepare('SELECT content_hash FROM tickets WHERE ticket_id = :ticketId')
    .pluck()
  const old = db
    .prepare(`SELECT ticket_id FROM tickets WHERE received_at < :before LIMIT ${batchSize}`)
    .pluck()
  const remove = db.prepareWrite(`DELETE FROM tickets
    WHERE ticket_id IN (SELECT value FROM json_each(:ids))`)
  const ofEmail = db.prepare(`SELECT ${columns} FROM tickets
    WHERE email = :email COLLATE NOCASE ORDER BY id`)
  const allIds = db.prepare('SELECT ticket_id FROM tickets').pluck()
  const one = db.prepare(`SELECT ${columns} FROM tickets WHERE ticket_id = :ticketId`)
  const numbered = db
    .prepare(`SELECT ticket_id FROM tickets
    WHERE ticket_id IN (SELECT value FROM json_each(:candidates)) AND email = :email COLLATE NOCASE
    ORDER BY id DESC LIMIT 1`)
    .pluck()
  const list = db.prepare(`SELECT ${columns} FROM tickets
    WHERE received_at >= :from AND received_at < :before AND (:status IS NULL OR status = :status)
    ORDER BY received_at, id`)
  const ofEmails = db.prepare(`SELECT ${columns} FROM tickets
    WHERE email COLLATE NOCASE IN (SELECT value FROM json_each(:emails))
      AND status NOT IN ('spam', 'quarantined')
    ORDER BY received_at DESC LIMIT :most`)
  const overdue = db.prepare(`SELECT ${columns} FROM tickets
    WHERE status IN ('new', 'open') AND due_at < :now ORDER BY due_at, id`)
  const quarantined = db
    .prepare("SELECT count(*) FROM tickets WHERE status = 'quarantined'")
    .pluck()
  const update = db.prepareWrite('UPDATE tickets SET status = :after WHERE ticket_id = :ticketId')

  const limits = createTicketLimits(db)

  const find = (ticketId: string): Ticket | null => {
    const row = one.get({ ticketId }) as Row | undefined
    return row ? toTicket(row) : null
  }

  return {
    /**
     * Keeps a message; belongs into a transaction, together with its mails.
     * @returns `repeat` when the same ticket is already there; `quarantined` when the honeypot was
     *   filled in, or when without a proof it looks like advertising or came after too many
     * @throws clash when the ticket id belongs to another message; too-many when its network has
     *   sent all that one may in a day
     */
    save(
      tx: Transaction,
      record: ContactRecord,
      { network, proof, isTrapped }: Origin,
    ): { status: 'saved' | 'repeat'; quarantined: boolean } {
      const now = clock()
      const ticketId = record['Ticket ID']
      const content = hashOf(record)
      const known = contentHash.get({ ticketId })
      if (known === content) return { status: 'repeat', quarantined: false }
      if (known !== undefined) throw failure('clash')
      if (limits.isUsedUp(network, now)) throw failure('too-many', { retryAfter: 3600 })
      const proven = proof !== null && formProofs.use(tx, proof)
      const isDoubtful = () =>
        spamScore(record) >= suspicious ||
        limits.hasTooManyUnproven({ network, email: record.Email, now })
      const held = isTrapped || (!proven && isDoubtful())
      insert.run(tx, {
        ticketId,
        status: held ? 'quarantined' : 'new',
        name: record.Name,
        email: record.Email,
        subject: record.Subject,
        message: record.Message,
        date: record.Date,
        receivedAt: now,
        dueAt: replyDue(now),
        contentHash: content,
        network,
        proven: proven ? 1 : 0,
      })
      return { status: 'saved', quarantined: held }
    },

    find,

    /** The ticket number among some words that belongs to a ticket of an address. */
    findNumber: (candidates: readonly string[], email: string): string | null =>
      (numbered.get({ candidates: JSON.stringify(candidates), email }) as string | undefined) ??
      null,

    /** Tickets in the order in which they came, one at a time, so that an export of any size fits. */
    *list({ from = 0, before = Number.MAX_SAFE_INTEGER, status }: TicketFilter = {}) {
      for (const row of list.iterate({ from, before, status: status ?? null })) {
        yield toTicket(row as Row)
      }
    },

    /** The ids of all tickets. */
    ids: () => allIds.all() as string[],

    /** Tickets that came from some addresses and are no spam, newest first. */
    ofEmails: (emails: readonly string[], most: number): Ticket[] =>
      (ofEmails.all({ emails: JSON.stringify(emails), most }) as Row[]).map(toTicket),

    /** Tickets whose promised reply is late, the latest first. */
    overdue: () => (overdue.all({ now: clock() }) as Row[]).map(toTicket),

    /** What staff did with a ticket, oldest first. */
    changes: (ticketId: string): TicketChange[] =>
      timeline.of('ticket', ticketId).map(({ at, actor, act, before, after, note }) => ({
        at,
        author: actor,
        kind: act,
        before,
        after: after ?? note ?? '',
      })),

    /**
     * Gives a ticket another status and writes down who did; belongs into a transaction.
     * @returns the ticket as it was before, or null when there is no such ticket
     */
    setStatus(
      tx: Transaction,
      ticketId: string,
      status: TicketStatus,
      author: string,
    ): Ticket | null {
      const ticket = find(ticketId)
      if (!ticket || ticket.status === status) return ticket
      update.run(tx, { ticketId, after: status })
      timeline.record(tx, {
        thing: 'ticket',
        thingId: ticketId,
        actor: author,
        act: 'status',
        before: ticket.status,
        after: status,
      })
      return ticket
    },

    /** Adds a note to a ticket. @returns false when there is no such ticket */
    note(tx: Transaction, ticketId: string, text: string, author: string): boolean {
      if (!find(ticketId)) return false
      timeline.record(tx, {
        thing: 'ticket',
        thingId: ticketId,
        actor: author,
        act: 'note',
        note: text,
      })
      return true
    },

    /** Every ticket of an address, spam and quarantined ones too. */
    ofEmail: (email: string): Ticket[] => (ofEmail.all({ email }) as Row[]).map(toTicket),

    /** Erases the tickets of an address with their changes. @returns their numbers */
    erase(tx: Transaction, email: string): string[] {
      const ids = (ofEmail.all({ email }) as Row[]).map(({ ticketId }) => ticketId)
      remove.run(tx, { ids: JSON.stringify(ids) })
      timeline.forget(tx, 'ticket', ids)
      return ids
    },

    /** How many tickets wait in quarantine. */
    quarantined: () => quarantined.get() as number,

    /**
     * Forgets a batch of tickets older than the privacy policy says they are kept, with their
     * changes. @returns how many
     */
    forgetOld(tx: Transaction): number {
      const ids = old.all({ before: monthsBefore(clock(), ticketMonths) }) as string[]
      remove.run(tx, { ids: JSON.stringify(ids) })
      timeline.forget(tx, 'ticket', ids)
      return ids.length
    },
  }
}

/** What makes a repeated call the same message: everything that the visitor wrote. */
function hashOf({ Name, Email, Subject, Message }: ContactRecord): string {
  return hash('sha256', JSON.stringify([Name, Email, Subject, Message]), 'base64url')
}

/** The same time of an earlier month; a day that the month lacks becomes the first of the next. */
function monthsBefore(at: number, months: number): number {
  const date = new Date(at)
  return date.setUTCMonth(date.getUTCMonth() - months)
}
