import { contactFields, type ContactField } from '#shared/contact/contact.ts'
import type { BlockRow } from '#shared/clients/panel-block.ts'
import { panelDay, type PanelBlock } from '../contributions/panel-block.ts'
import type { Ticket } from './schema.ts'
import type { TicketStore } from './store.ts'

/** The newest are enough; the rest is in the client's email. */
const maxTickets = 20

/** How much of a message the panel shows; the rest is in the client's email. */
const isShown: Record<ContactField, boolean> = {
  name: false,
  email: false,
  subject: true,
  message: false,
}

/** The state of a ticket in a client's words. Spam and quarantine aren't shown. */
export const ticketStates: Readonly<
  Partial<Record<Ticket['status'], NonNullable<BlockRow['state']> & { tone: 'open' | 'done' }>>
> = {
  new: { label: 'Received', tone: 'open' },
  open: { label: 'In progress', tone: 'open' },
  answered: { label: 'Answered', tone: 'done' },
  closed: { label: 'Closed', tone: 'done' },
}

/**
 * The block of a client's messages: those that are known to be the client's, since anyone
 * can write under an address.
 */
export const ticketBlock = (tickets: Pick<TicketStore, 'ofClient'>): PanelBlock => ({
  kind: 'tickets',
  title: 'Messages to us',
  by: 'system',
  load: ({ client }) => ({
    view: 'rows',
    rows: tickets.ofClient(client.emails, maxTickets).flatMap((ticket) => {
      const state = ticketStates[ticket.status]
      return state ? [{ ...row(ticket), state }] : []
    }),
  }),
})

const row = ({ ticketId, receivedAt, dueAt, status, ...message }: Ticket): BlockRow => ({
  title: contactFields
    .filter((field) => isShown[field])
    .map((field) => message[field])
    .join(', '),
  detail:
    status === 'new' || status === 'open'
      ? `Ticket ${ticketId}, reply by ${panelDay(dueAt)}`
      : `Ticket ${ticketId}`,
  value: panelDay(receivedAt),
})
