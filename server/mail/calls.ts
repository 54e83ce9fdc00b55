import { hash } from 'node:crypto'
import type { Logger } from 'pino'
import type { MailCall } from '#shared/contact.ts'
import type { TicketStore } from '../contact/store.ts'
import type { Database } from '../db/open.ts'
import type { MailStore } from './store.ts'

/** Milliseconds that a call waits for its ticket (design 1.1). */
const patience = 10 * 60_000

/** Notices without a ticket that are delivered for one network per hour; more are held for staff. */
const deliveredPerHour = 5

/** Milliseconds after which a settled call is forgotten. */
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

/** What finds the ticket of a call, and what staff read when there is none. */
export type CallData = {
  /** Six-character words of a confirmation, one of which is its ticket number. */
  candidates?: readonly string[]
  to?: string
  subject?: string
  htmlContent?: string
  replyTo?: string | null
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
  const insert = db.prepare(`INSERT INTO mail_calls
      (kind, ticket_id, digest, network, received_at, outcome, data)
    VALUES (:kind, :ticketId, :digest, :network, :now, :outcome, :data)
    ON CONFLICT (digest) DO NOTHING`)
  const overdue = db.prepare(`SELECT ${columns}, network FROM mail_calls
    WHERE outcome = 'waiting' AND received_at <= :before ORDER BY received_at LIMIT 50`)
  const settle = db.prepare(`UPDATE mail_calls
    SET outcome = :outcome, ticket_id = :ticketId, data = :data WHERE id = :id`)
  const delivered = db
    .prepare(`SELECT count(*) FROM mail_calls
    WHERE outcome <> 'matched' AND network = :network AND received_at > :after
      AND outcome = 'delivered'`)
    .pluck()
  const ofTicket = db.prepare(`SELECT ${columns} FROM mail_calls
    WHERE ticket_id = :ticketId ORDER BY id`)
  const held = db.prepare(`SELECT ${columns} FROM mail_calls WHERE outcome = 'held' ORDER BY id`)
  const about = db.prepare(`SELECT ${columns} FROM mail_calls
    WHERE instr(lower(data), lower(:quoted)) > 0 ORDER BY id`)
  const erase = db.prepare('DELETE FROM mail_calls WHERE instr(lower(data), lower(:quoted)) > 0')
  const forget = db.prepare(`DELETE FROM mail_calls
    WHERE outcome NOT IN ('waiting', 'held') AND received_at < :before`)

  /** The ticket that a call is about, once it is there. */
  const ticketOf = (kind: string, ticketId: string | null, data: CallData): string | null => {
    if (kind === 'notice') return ticketId && tickets.find(ticketId) ? ticketId : null
    return tickets.findNumber(data.candidates ?? [], data.to ?? '')
  }

  const settleOne = (call: RememberedCall & { network: string }) => {
    const { id, kind, receivedAt, network } = call
    const data = JSON.parse(call.data ?? '{}') as CallData
    const ticketId = ticketOf(kind, call.ticketId, data)
    if (ticketId) return settle.run({ id, outcome: 'matched', ticketId, data: null })
    if (kind === 'confirmation') {
      log.warn({ event: 'mail.unmatched', call: id }, 'a confirmation call had no ticket')
      return settle.run({ id, outcome: 'unmatched', ticketId: null, data: null })
    }
    const before = delivered.get({ network, after: receivedAt - 3_600_000 }) as number
    if (before >= deliveredPerHour) {
      return settle.run({ id, outcome: 'held', ticketId: call.ticketId, data: call.data })
    }
    mails.enqueue('recordMissing', { key: `call-${id}`, data })
    log.warn(
      { event: 'mail.record-missing', call: id, ticketId: call.ticketId },
      'a notice call had no ticket',
    )
    return settle.run({ id, outcome: 'delivered', ticketId: call.ticketId, data: null })
  }

  return {
    /** Remembers a call; belongs into a transaction. The same call again changes nothing. */
    remember(call: MailCall, network: string): void {
      const { kind, ticketId, data } = readCall(call)
      const found = ticketOf(kind, ticketId, data)
      insert.run({
        kind,
        ticketId: found ?? ticketId,
        digest: hash('sha256', JSON.stringify([kind, call]), 'base64url'),
        network,
        now: clock(),
        outcome: found ? 'matched' : 'waiting',
        data: found ? null : JSON.stringify(data),
      })
    },

    /** Settles the calls that have waited long enough; belongs into a transaction. @returns how many */
    settleOverdue(): number {
      const calls = overdue.all({ before: clock() - patience }) as Parameters<typeof settleOne>[0][]
      calls.forEach(settleOne)
      return calls.length
    },

    /** The calls about one ticket, oldest first. */
    ofTicket: (ticketId: string) => ofTicket.all({ ticketId }) as RememberedCall[],

    /** Notices without a ticket beyond what is delivered; their text is kept for staff. */
    held: () => held.all() as RememberedCall[],

    /** Calls whose text is kept and that name an address. */
    about: (email: string) => about.all({ quoted: JSON.stringify(email) }) as RememberedCall[],

    /** Erases those calls; belongs into a transaction. @returns how many */
    erase: (email: string): number => erase.run({ quoted: JSON.stringify(email) }).changes,

    /** Forgets calls that were settled long ago. */
    forgetOld: () => void forget.run({ before: clock() - keptFor }),
  }
}

/** Tells the two mails of a submission apart (spec section 7) and finds the ticket's number in them. */
function readCall({ subject, htmlContent, to, replyTo }: MailCall): {
  kind: 'notice' | 'confirmation'
  ticketId: string | null
  data: CallData
} {
  if (/^New message from website\b/i.test(subject)) {
    return {
      kind: 'notice',
      ticketId: subject.match(/\[Ticket: ([a-z0-9]{6})\]/)?.[1] ?? null,
      data: {
        subject,
        htmlContent,
        replyTo: typeof replyTo === 'string' ? replyTo : (replyTo?.email ?? null),
      },
    }
  }
  const words = `${subject} ${htmlContent.replaceAll(/<[^<>]*>/g, ' ')}`.match(
    /(?<![a-z0-9])[a-z0-9]{6}(?![a-z0-9])/gi,
  )
  return {
    kind: 'confirmation',
    ticketId: null,
    data: { candidates: [...new Set(words)].slice(0, 200), to: to[0]!.email },
  }
}
