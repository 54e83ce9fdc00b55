import { hash } from 'node:crypto'
import { dayMs } from '#shared/durations.ts'
import type { MailCall } from '#shared/contact.ts'
import type { Transaction } from '../db/group-commit.ts'
import { batchSize } from '../db/in-batches.ts'
import { callColumns, type RememberedCall } from './mail-call.ts'
import { callLimits } from './mail-call-limits.ts'
import { callSettling, ticketOf, type MailCallDeps } from './mail-call-settling.ts'
import { parseCall } from './mail-call-parser.ts'

/** Rows of calls in all; of more, the oldest that are settled are forgotten. */
const mostRows = 20_000

/** Milliseconds after which a settled or held call is forgotten. */
const keptMs = 30 * dayMs

/** The remembered calls; the only place with their SQL. */
export type MailCalls = ReturnType<typeof createMailCalls>

/**
 * Remembers the calls of POST /api/send-email. A call never becomes a mail by itself: the ticket
 * that it names has its own two mails, however often and in whatever order the calls come. Only a
 * notice whose ticket stays away is passed on to staff, because losing an enquiry is worse.
 */
export function createMailCalls(deps: MailCallDeps) {
  const { db, clock, tickets } = deps
  const known = db.prepare('SELECT 1 FROM mail_calls WHERE digest = :digest')
  const insert = db
    .prepareWrite(`INSERT INTO mail_calls
      (kind, ticket_id, digest, network, received_at, outcome, data, bytes)
    VALUES (:kind, :ticketId, :digest, :network, :now, :outcome, :data, :bytes) RETURNING id`)
    .pluck()
  const forgetBefore = db.prepareWrite(`DELETE FROM mail_calls
    WHERE id <= :id AND outcome NOT IN ('waiting', 'held')`)
  const ofTicket = db.prepare(`SELECT ${callColumns} FROM mail_calls
    WHERE ticket_id = :ticketId ORDER BY id`)
  const held = db.prepare(
    `SELECT ${callColumns} FROM mail_calls WHERE outcome = 'held' ORDER BY id`,
  )
  const about = db.prepare(`SELECT ${callColumns} FROM mail_calls
    WHERE instr(lower(data), lower(:quoted)) > 0 ORDER BY id`)
  const erase = db.prepareWrite(
    'DELETE FROM mail_calls WHERE instr(lower(data), lower(:quoted)) > 0',
  )
  const heldCount = db.prepare("SELECT count(*) FROM mail_calls WHERE outcome = 'held'").pluck()
  const forget = db.prepareWrite(`DELETE FROM mail_calls WHERE id IN (SELECT id FROM mail_calls
    WHERE received_at < :before AND outcome <> 'waiting' LIMIT ${batchSize})`)

  const checkLimits = callLimits(db)
  const settleOverdue = callSettling(deps)

  return {
    /**
     * Remembers a call. The same call again changes nothing.
     * @param network keyed hash of the sender's network
     * @throws too-many when the text of too many calls is kept already, of this network or in all
     */
    remember(tx: Transaction, call: MailCall, network: string): void {
      const { kind, ticketId, data } = parseCall(call)
      const digest = hash('sha256', JSON.stringify([kind, call]), 'base64url')
      if (known.get({ digest }) !== undefined) return
      const found = ticketOf(tickets, kind, ticketId, data)
      const text = found ? null : JSON.stringify(data)
      const bytes = Buffer.byteLength(text ?? '')
      if (text !== null) checkLimits(network, bytes)
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
    settleOverdue,

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
    forgetOld: (tx: Transaction): number => forget.run(tx, { before: clock() - keptMs }).changes,
  }
}
