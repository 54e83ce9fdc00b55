import * as z from 'zod'
import { ticketId as isTicketId } from '#shared/contact/contact.ts'
import { dayMs } from '#shared/dates/durations.ts'
import { failure } from '#shared/failures.ts'
import { paths } from '#shared/paths.ts'
import type { ClientFeature } from '../clients/feature.ts'
import type { Platform } from '../feature.ts'
import { sessionWith, type RequestContext } from '../http/request-context.ts'
import { createSignedTokens, type SignedTokens } from '../secrets/tokens.ts'
import type { Ticket } from './schema.ts'
import type { TicketStore } from './store.ts'

/** Days for which a link in staff's email works once its ticket is closed. */
const staffLinkDays = 30

/** A ticket opened by staff; `name` is null if by a link, without a session. */
export type TicketStaff = { ticket: Ticket; name: string | null }

/** The links to tickets, and who can open which. Pages and acts both ask here. */
export type TicketLinks = ReturnType<typeof createTicketLinks>

/** Makes the links, each signed for its own purpose over the secret of its ticket. */
export function createTicketLinks(
  { keys, clock, config }: Pick<Platform, 'keys' | 'clock' | 'config'>,
  tickets: Pick<TicketStore, 'find' | 'findSecret' | 'care'>,
  { sessionIn }: Pick<ClientFeature, 'sessionIn'>,
) {
  const schema = z.tuple([z.string()])
  const visitor = createSignedTokens({ keys, clock, purpose: 'ticket', schema })
  const staff = createSignedTokens({ keys, clock, purpose: 'ticket-staff', schema })

  const tokenOf = (tokens: SignedTokens<[string]>, ticketId: string) =>
    tokens.issue([tickets.care(ticketId).secret], null)

  const byToken = (tokens: SignedTokens<[string]>, token: string): Ticket => {
    const secret = tokens.read(token)?.payload[0]
    const ticket = secret === undefined ? null : tickets.findSecret(secret)
    if (!ticket) throw missing()
    return ticket
  }

  /** The name of the person signed in for the desk; null for everyone else. */
  const staffName = (requestContext: RequestContext): string | null => {
    const session = sessionIn(requestContext)
    return session?.scopes.has('desk') ? session.actor : null
  }

  return {
    /** The page of a ticket for its visitor, absolute. */
    visitorUrl: (ticketId: string) => config.siteUrl + paths.ticket(tokenOf(visitor, ticketId)),
    /** The page of a ticket for staff, absolute, with the right to this ticket alone. */
    staffUrl: (ticketId: string) => config.siteUrl + paths.deskTicket(tokenOf(staff, ticketId)),

    /** The path of the page of a link in staff's email, even of one that has ended; null for other texts. */
    linkTarget(token: string): string | null {
      const secret = staff.read(token)?.payload[0]
      const isKnown = secret !== undefined && tickets.findSecret(secret) !== null
      return isKnown ? paths.deskTicket(token) : null
    },

    /**
     * The ticket of a visitor's link.
     * @throws missing for every other text, and for spam and quarantined tickets
     */
    ofVisitor(token: string): Ticket {
      const ticket = byToken(visitor, token)
      if (ticket.status === 'spam' || ticket.status === 'quarantined') throw missing()
      return ticket
    },

    /** The ticket of a visitor's link token, whatever its status; null for every other text. */
    named(token: string): Ticket | null {
      const secret = visitor.read(token)?.payload[0]
      return secret === undefined ? null : tickets.findSecret(secret)
    },

    /**
     * The ticket that the last part of the desk's address opens: a number in the session of staff, or
     * the token of the link in staff's email.
     * @throws signed-out or forbidden for a number without the scope `desk`; missing for every other
     *   text; gone for a link whose ticket has been closed for 30 days
     */
    ofStaff(ticketOrToken: string, requestContext: RequestContext): TicketStaff {
      if (isTicketId.safeParse(ticketOrToken).success) {
        sessionWith('desk', requestContext)
        const ticket = tickets.find(ticketOrToken)
        if (!ticket) throw missing()
        return { ticket, name: staffName(requestContext) }
      }
      const ticket = byToken(staff, ticketOrToken)
      const { closedAt } = tickets.care(ticket.ticketId)
      if (closedAt !== null && clock() >= closedAt + staffLinkDays * dayMs) {
        throw failure('gone', {
          message: `Ticket ${ticket.ticketId} was closed more than ${staffLinkDays} days ago, so this link has expired. Staff can open it at the desk.`,
        })
      }
      return { ticket, name: staffName(requestContext) }
    },
  }
}

const missing = () => failure('missing', { message: 'Ticket not found.' })
