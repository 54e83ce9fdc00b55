import type { Logger } from 'pino'
import { hourMs } from '#shared/durations.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Database } from '../db/open.ts'
import type { MailStore } from '../mail/store.ts'
import { callColumns, ticketTimeout, type CallOutcome, type RememberedCall } from './mail-call.ts'
import type { CallData } from './mail-call-parser.ts'
import type { TicketStore } from './store.ts'

/** Notices without a ticket that are delivered per hour; more are held for staff. */
const deliveredPerHour = { network: 5, inAll: 60 } as const

type Overdue = RememberedCall & { network: string }

/** What the remembered calls need. */
export type MailCallDeps = {
  db: Database
  clock: () => number
  log: Logger
  tickets: TicketStore
  mails: MailStore
}

/** Makes the settling of calls that have waited long enough for their ticket. */
export function callSettling({
  db,
  clock,
  log,
  tickets,
  mails,
}: MailCallDeps): () => Promise<void> {
  const isOverdue = db.prepare(`SELECT 1 FROM mail_calls
    WHERE outcome = 'waiting' AND received_at <= :before LIMIT 1`)
  const overdue = db.prepare(`SELECT ${callColumns}, network FROM mail_calls
    WHERE outcome = 'waiting' AND received_at <= :before ORDER BY received_at LIMIT 50`)
  const settle = db.prepareWrite(`UPDATE mail_calls
    SET outcome = :outcome, ticket_id = :ticketId, data = :data, bytes = :bytes WHERE id = :id`)
  const delivered = db.prepare(`SELECT count(*) AS inAll,
      count(*) FILTER (WHERE network = :network) AS network
    FROM mail_calls WHERE received_at > :after AND outcome = 'delivered'`)

  const settleOne = (tx: Transaction, { id, kind, receivedAt, network, ...call }: Overdue) => {
    const data = JSON.parse(call.data ?? '{}') as CallData
    const end = (outcome: CallOutcome, ticketId: string | null) =>
      settle.run(tx, { id, outcome, ticketId, data: null, bytes: 0 })
    const ticketId = ticketOf(tickets, kind, call.ticketId, data)
    if (ticketId) return end('matched', ticketId)
    if (kind === 'confirmation') {
      log.warn({ event: 'mail.unmatched', call: id }, 'confirmation call without ticket')
      return end('unmatched', null)
    }
    const before = delivered.get({ network, after: receivedAt - hourMs }) as Record<
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
      'notice call without ticket',
    )
    return end('delivered', call.ticketId)
  }

  return async () => {
    const before = clock() - ticketTimeout
    if (isOverdue.get({ before }) === undefined) return
    await db.commit((tx) => {
      for (const call of overdue.all({ before }) as Overdue[]) settleOne(tx, call)
    })
  }
}

/** The ticket that a call is about, once it is there. */
export function ticketOf(
  tickets: Pick<TicketStore, 'find' | 'findNumber'>,
  kind: string,
  ticketId: string | null,
  data: CallData,
): string | null {
  if (kind === 'notice') return ticketId && tickets.find(ticketId) ? ticketId : null
  return tickets.findNumber(data.candidates ?? [], data.to ?? '')
}
