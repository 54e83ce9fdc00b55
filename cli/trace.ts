import type { Context } from '#server/context.ts'
import { when, type Row } from './print.ts'

type Hop = { at: number; what: string; detail: string }

/**
 * Everything that is known to have happened to a ticket, in order: its arrival, the mail calls that
 * named it, its mails and their attempts, and what staff did.
 * @returns no line at all when nothing is known about such a ticket
 */
export function traceOf(
  {
    mails,
    features: {
      contact: { tickets, calls },
    },
  }: Pick<Context, 'mails' | 'features'>,
  ticketId: string,
): Row[] {
  const hops: Hop[] = []
  const ticket = tickets.find(ticketId)
  if (ticket) {
    const detail = `sent ${ticket.date}, ${ticket.proven ? 'with' : 'without'} form proof`
    hops.push({ at: ticket.receivedAt, what: 'received', detail })
  }
  for (const { receivedAt, kind, outcome } of calls.ofTicket(ticketId)) {
    hops.push({ at: receivedAt, what: `${kind} call`, detail: outcome })
  }
  for (const mail of mails.ofKey(ticketId)) {
    const { id, kind, status, attempts, queuedAt, dueAt, settledAt, lastReply, messageId } = mail
    hops.push({ at: queuedAt, what: `${kind} queued`, detail: `mail ${id}, ${messageId}` })
    if (attempts === 0) continue
    hops.push({
      at: settledAt ?? dueAt ?? queuedAt,
      what: settledAt === null ? `${kind} due again` : `${kind} ${status}`,
      detail: `attempts: ${attempts}; ${lastReply ?? 'no reply yet'}`,
    })
  }
  for (const { at, kind, before, after, author } of tickets.changes(ticketId)) {
    const change = before === null ? after : `${before} → ${after}`
    hops.push({ at, what: kind, detail: `${change} (${author})` })
  }
  // Sorting keeps the order above among hops of the same moment.
  return hops
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, what, detail }) => ({ at: when(at), what, detail }))
}
