import { hash } from 'node:crypto'
import type { ContactRecord } from '#shared/contact.ts'
import { failure } from '#shared/failures.ts'
import { replyDue } from '#shared/civil-dates.ts'
import { hourMs } from '#shared/durations.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'
import type { Timeline } from '../timeline/timeline.ts'
import type { FormProofs } from '../form-proofs.ts'
import { spamScore, suspiciousScore } from './spam-score.ts'
import { createTicketChanges } from './ticket-changes.ts'
import { createTicketLimits } from './ticket-limits.ts'
import { createTicketQueries } from './ticket-queries.ts'
import { createTicketRetention } from './ticket-retention.ts'

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
  const limits = createTicketLimits(db)
  const queries = createTicketQueries(db, { clock })
  const dueAt = createDueAt()

  return {
    ...queries,
    ...createTicketChanges(db, { find: queries.find, timeline }),
    ...createTicketRetention(db, { clock, timeline, ofEmail: queries.ofEmail }),

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
        spamScore(record) >= suspiciousScore ||
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
        dueAt: dueAt(now),
        contentHash: content,
        network,
        proven: proven ? 1 : 0,
      })
      return { status: 'saved', quarantined: held }
    },
  }
}

/**
 * Says by when a message is answered, see {@link replyDue}. Days begin with an hour, so that messages of
 * one hour are due at the same time; working it out costs more than the row.
 */
function createDueAt(): (receivedAt: number) => number {
  let known = { hour: -1, dueAt: 0 }
  return (receivedAt) => {
    const hour = Math.floor(receivedAt / hourMs)
    if (hour !== known.hour) known = { hour, dueAt: replyDue(receivedAt) }
    return known.dueAt
  }
}

/** What makes a repeated call the same message: everything that the visitor wrote. */
function hashOf({ Name, Email, Subject, Message }: ContactRecord): string {
  return hash('sha256', JSON.stringify([Name, Email, Subject, Message]), 'base64url')
}
