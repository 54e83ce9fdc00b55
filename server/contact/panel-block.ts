import type { BlockRow } from '#shared/panel-block.ts'
import { panelDay, type PanelBlock } from '../panel-block.ts'
import type { Ticket } from './ticket.ts'
import type { TicketStore } from './store.ts'

/** The newest are enough; the rest is in the client's mail. */
const mostTickets = 20

/** The state of a ticket in a client's words. Spam and quarantine are our affair. */
const states: Readonly<Partial<Record<Ticket['status'], NonNullable<BlockRow['state']>>>> = {
  new: { label: 'Received', tone: 'open' },
  open: { label: 'In progress', tone: 'open' },
  answered: { label: 'Answered', tone: 'done' },
  closed: { label: 'Closed', tone: 'done' },
}

/** The block of messages that came from a client's e-mail addresses. */
export const ticketBlock = (tickets: Pick<TicketStore, 'ofEmails'>): PanelBlock => ({
  kind: 'tickets',
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

const row = ({ ticketId, subject, receivedAt, dueAt, status }: Ticket): BlockRow => ({
  title: subject,
  detail:
    status === 'new' || status === 'open'
      ? `Ticket ${ticketId}, reply by ${panelDay(dueAt)}`
      : `Ticket ${ticketId}`,
  value: panelDay(receivedAt),
})
