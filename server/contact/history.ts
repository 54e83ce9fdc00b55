import type { Platform } from '../feature.ts'
import type { MailCalls } from './mail-calls.ts'
import type { TicketStore } from './store.ts'

/** An act of staff on a ticket. */
type TicketChange = {
  readonly at: number
  readonly author: string
  /** `status` or `note`. */
  readonly kind: string
  readonly before: string | null
  readonly after: string
}

/** An event in a ticket's life; times in milliseconds of the epoch. */
type TicketEvent = { readonly at: number; readonly what: string; readonly detail: string }

/** What became of tickets. */
export type TicketHistory = ReturnType<typeof createTicketHistory>

/** Creates the history of tickets. */
export function createTicketHistory(
  { mails, timeline }: Pick<Platform, 'mails' | 'timeline'>,
  { tickets, calls }: { tickets: TicketStore; calls: Pick<MailCalls, 'ofTicket'> },
) {
  /** Acts of staff on a ticket, oldest first. */
  const changes = (ticketId: string): TicketChange[] =>
    timeline.of('ticket', ticketId).map(({ at, actor, act, before, after, note }) => ({
      at,
      author: actor,
      kind: act,
      before,
      after: after ?? note ?? '',
    }))

  return {
    changes,

    /**
     * Everything recorded about a ticket, in order: its arrival, the email calls that named it, its
     * emails and their attempts, and acts of staff.
     * @returns an empty list for an unknown ticket
     */
    trace(ticketId: string): TicketEvent[] {
      const events: TicketEvent[] = []
      const ticket = tickets.find(ticketId)
      if (ticket) {
        const detail = `sent ${ticket.date}, ${ticket.proven ? 'with' : 'without'} form proof`
        events.push({ at: ticket.receivedAt, what: 'received', detail })
      }
      for (const { receivedAt, kind, outcome } of calls.ofTicket(ticketId)) {
        events.push({ at: receivedAt, what: `${kind} call`, detail: outcome })
      }
      for (const mail of mails.of('ticket', ticketId)) {
        const { id, kind, status, attempts, queuedAt, dueAt, settledAt, lastReply } = mail
        const detail = `mail ${id}, ${mail.messageId}`
        events.push({ at: queuedAt, what: `${kind} queued`, detail })
        if (attempts === 0) continue
        events.push({
          // While it is being sent, the time that it is due is the end of the attempt.
          at: settledAt ?? (status === 'sending' ? null : dueAt) ?? queuedAt,
          what: status === 'queued' ? `${kind} due again` : `${kind} ${status}`,
          detail: `attempts: ${attempts}; ${lastReply ?? 'no reply yet'}`,
        })
      }
      for (const { at, kind, before, after, author } of changes(ticketId)) {
        const change = before === null ? after : `${before} → ${after}`
        events.push({ at, what: kind, detail: `${change} (${author})` })
      }
      // The sort is stable: simultaneous events keep the order above.
      return events.toSorted((a, b) => a.at - b.at)
    },
  }
}
