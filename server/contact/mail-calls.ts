import { hash } from 'node:crypto'
import type { MailCall } from '#shared/contact/contact.ts'
import { dayMs, hourMs, minuteMs } from '#shared/dates/durations.ts'
import { failure } from '#shared/failures.ts'
import type { Transaction } from '../db/group-commit.ts'
import { batchSize } from '../db/in-batches.ts'
import { integer, query, type Select } from '../db/table.ts'
import type { Platform } from '../feature.ts'
import { mailCalls, type CallData, type CallOutcome, type RememberedCall } from './schema.ts'
import type { TicketStore } from './store.ts'

/** Milliseconds that a call waits for its ticket. */
const ticketTimeout = 10 * minuteMs

/** Milliseconds after which a settled or held call is forgotten. */
const keptMs = 30 * dayMs

/** Max rows of calls; beyond that, the oldest settled ones are deleted. */
const maxRows = 20_000

/** Calls whose text is kept, since no ticket is known: how many, and how many bytes of text. */
const maxKept = {
  network: { calls: 60, bytes: 1024 * 1024 },
  inAll: { calls: 2000, bytes: 20 * 1024 * 1024 },
} as const

/** Notices without a ticket that are delivered per hour; more are held for staff. */
const deliveredPerHour = { network: 5, inAll: 60 } as const

const isKept = `outcome IN ('waiting', 'held')`

/** The remembered calls; the only place with their SQL. */
export type MailCalls = ReturnType<typeof createMailCalls>

/**
 * Remembers the calls of POST /api/send-email. A call never becomes an email by itself: the ticket that
 * it names has its own two emails, however often and in whatever order the calls come. Only a notice
 * whose ticket never arrives is passed on to staff, because losing an enquiry would be worse.
 */
export function createMailCalls(
  { db, clock, log, mails }: Pick<Platform, 'db' | 'clock' | 'log' | 'mails'>,
  tickets: Pick<TicketStore, 'find' | 'findNumber'>,
) {
  const known = mailCalls.select(db, 'WHERE digest = :digest')
  const insert = mailCalls.insert(db)
  const settle = mailCalls.update(db, ['outcome', 'ticketId', 'data', 'bytes'], 'WHERE id = :id')
  const forgetBefore = db.prepareWrite(`DELETE FROM mail_calls WHERE id <= :id AND NOT ${isKept}`)
  const forget = db.prepareWrite(`DELETE FROM mail_calls WHERE id IN (SELECT id FROM mail_calls
    WHERE received_at < :before AND outcome <> 'waiting' LIMIT ${batchSize})`)

  const ofTicket = mailCalls.select(db, 'WHERE ticket_id = :ticketId ORDER BY id')
  const held = mailCalls.select(db, `WHERE outcome = 'held' ORDER BY id`)
  const isAbout = 'instr(lower(data), lower(:quoted)) > 0'
  const about = mailCalls.select(db, `WHERE ${isAbout} ORDER BY id`)
  const erase = db.prepareWrite(`DELETE FROM mail_calls WHERE ${isAbout}`)
  const overdue = mailCalls.select(
    db,
    `WHERE outcome = 'waiting' AND received_at <= :before ORDER BY received_at LIMIT :max`,
  )

  const room = (condition: string) =>
    query(
      db,
      `SELECT count(*) AS calls, coalesce(sum(bytes), 0) AS bytes FROM mail_calls WHERE ${condition}`,
      { calls: integer(), bytes: integer() },
    )
  const keptOfNetwork = room(`${isKept} AND network = :network`)
  const keptInAll = room(isKept)
  const heldCount = query(db, `SELECT count(*) AS count FROM mail_calls WHERE outcome = 'held'`, {
    count: integer(),
  })
  const delivered = query(
    db,
    `SELECT count(*) AS inAll, count(*) FILTER (WHERE network = :network) AS network
     FROM mail_calls WHERE received_at > :at - ${hourMs} AND received_at <= :at + ${hourMs}
       AND outcome = 'delivered'`,
    { inAll: integer(), network: integer() },
  )

  /** @throws too-many at the limit of stored text, per network or in total */
  const checkRoom = (network: string, more: number) => {
    const isFull = (
      kept: Select<{ calls: number; bytes: number }>,
      max: { calls: number; bytes: number },
      conditions = {},
    ) => {
      const { calls, bytes } = kept.get(conditions)!
      return calls >= max.calls || bytes + more > max.bytes
    }
    if (isFull(keptOfNetwork, maxKept.network, { network }) || isFull(keptInAll, maxKept.inAll))
      throw failure('too-many', { retryAfter: ticketTimeout / 1000 })
  }

  /** The ticket that a call is about, if it exists yet. */
  const ticketOf = ({ kind, ticketId, data }: Pick<RememberedCall, 'kind' | 'ticketId' | 'data'>) =>
    kind === 'notice'
      ? ticketId && tickets.find(ticketId) && ticketId
      : tickets.findNumber(data?.candidates ?? [], data?.to ?? '')

  const settleOne = (tx: Transaction, call: RememberedCall) => {
    const { id, kind, receivedAt, network, data } = call
    const end = (outcome: CallOutcome, ticketId: string | null) =>
      settle(tx, { outcome, ticketId, data: null, bytes: 0 }, { id })
    const ticketId = ticketOf(call)
    if (ticketId) return end('matched', ticketId)
    if (kind === 'confirmation') {
      log.warn({ event: 'mail.unmatched', call: id }, 'confirmation call without ticket')
      return end('unmatched', null)
    }
    const before = delivered.get({ network, at: receivedAt })!
    if (before.network >= deliveredPerHour.network || before.inAll >= deliveredPerHour.inAll) {
      return settle(tx, { ...call, outcome: 'held' }, { id })
    }
    // IDs of deleted calls are reused, so an ID alone wouldn't be unique.
    mails.enqueue(tx, 'recordMissing', {
      key: `call-${id}-${receivedAt}`,
      data: data ?? {},
      toStaff: true,
    })
    log.warn(
      { event: 'mail.record-missing', call: id, ticketId: call.ticketId },
      'notice call without ticket',
    )
    return end('delivered', call.ticketId)
  }

  return {
    /**
     * Remembers a call. The same call again changes nothing. Call inside a transaction.
     * @param network keyed hash of the sender's network
     * @throws too-many at the limit of stored text, per network or in total
     */
    remember(tx: Transaction, call: MailCall, network: string): void {
      const parsed = parseCall(call)
      const digest = hash('sha256', JSON.stringify([parsed.kind, call]), 'base64url')
      if (known.get({ digest })) return
      const found = ticketOf(parsed)
      const data = found ? null : parsed.data
      const bytes = data ? Buffer.byteLength(JSON.stringify(data)) : 0
      if (data) checkRoom(network, bytes)
      const { id } = insert(tx, {
        kind: parsed.kind,
        ticketId: found ?? parsed.ticketId,
        digest,
        network,
        receivedAt: clock(),
        outcome: found ? 'matched' : 'waiting',
        data,
        bytes,
      })!
      forgetBefore.run(tx, { id: id - maxRows })
    },

    /** Settles the calls that have waited long enough for their ticket. */
    async settleOverdue(): Promise<void> {
      const before = clock() - ticketTimeout
      if (!overdue.get({ before, max: 1 })) return
      await db.commit((tx) => {
        for (const call of overdue.all({ before, max: 50 })) settleOne(tx, call)
      })
    },

    /** The calls about one ticket, oldest first. */
    ofTicket: (ticketId: string): RememberedCall[] => ofTicket.all({ ticketId }),

    /** Notices without a ticket beyond what is delivered; their text is kept for staff. */
    held: (): RememberedCall[] => held.all(),

    /** How many of them there are. */
    heldCount: (): number => heldCount.get()!.count,

    /** Calls whose text is kept and that name an address. */
    about: (email: string): RememberedCall[] => about.all({ quoted: JSON.stringify(email) }),

    /** Erases those calls. Call inside a transaction. @returns how many */
    erase: (tx: Transaction, email: string): number =>
      erase.run(tx, { quoted: JSON.stringify(email) }).changes,

    /** Forgets a batch of calls that came long ago. Call inside a transaction. @returns how many */
    forgetOld: (tx: Transaction): number => forget.run(tx, { before: clock() - keptMs }).changes,
  }
}

/** Tells the two emails of a submission apart, and finds the ticket's number in them. */
export function parseCall({ subject, htmlContent, to, replyTo }: MailCall): {
  kind: RememberedCall['kind']
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
