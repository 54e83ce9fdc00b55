import type { BlockRow } from '#shared/clients.ts'
import type { Ticket, TicketStore } from '../contact/store.ts'
import type { BlockKinds } from './blocks.ts'
import { day } from './own-blocks.ts'

/** The newest are enough; the rest is in the client's mail. */
const mostTickets = 20

/** The state of a ticket in a client's words. Spam and quarantine are our affair. */
const states: Readonly<Partial<Record<Ticket['status'], NonNullable<BlockRow['state']>>>> = {
  new: { label: 'Received', tone: 'open' },
  open: { label: 'In progress', tone: 'open' },
  answered: { label: 'Answered', tone: 'done' },
  closed: { label: 'Closed', tone: 'done' },
}

/** Adds the block of messages that came from a client's e-mail addresses. */
export function addTicketBlock(kinds: BlockKinds, tickets: TicketStore): void {
  kinds.register('tickets', {
    title: 'Messages to us',
    by: 'system',
    load: ({ client }) => ({
      view: 'rows',
      rows: tickets.ofEmails(client.emails, mostTickets).flatMap((ticket) => {
        const state = states[ticket.status]
        return state ? [{ ...row(ticket), state }] : []
      }),
    }),
  })
}

const row = ({ ticketId, subject, receivedAt, dueAt, status }: Ticket): BlockRow => ({
  title: subject,
  detail:
    status === 'new' || status === 'open'
      ? `Ticket ${ticketId}, reply by ${day(dueAt)}`
      : `Ticket ${ticketId}`,
  value: day(receivedAt),
})
