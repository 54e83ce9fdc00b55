import { paths } from '#shared/paths.ts'
import type { ClientFeature } from '../clients/feature.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Feature, Platform } from '../feature.ts'
import { createTicketActions, type TicketActions } from './acts.ts'
import { ticketDesk, waitingReasons } from './desk.ts'
import { createInboundActs } from './inbound/acts.ts'
import { receivingChecks, receivingJobs } from './inbound/receiving.ts'
import { createInboundStore, type InboundStore } from './inbound/store.ts'
import { createTicketHistory, type TicketHistory } from './history.ts'
import { conversationMails } from './conversation-mails.ts'
import { createTicketLinks } from './links.ts'
import { contactOverview, contactSearchPage } from './listings.ts'
import { createMailCalls, type MailCalls } from './mail-calls.ts'
import { contactMails } from './mails.ts'
import { ticketBlock } from './panel-block.ts'
import { createReplyFiles } from './reply-files.ts'
import { contactData, contactJobs } from './retention.ts'
import { securityFile } from './security-file.ts'
import { createTicketStore, type TicketStore } from './store.ts'
import { createTextBlocks, type TextBlocks } from './text-blocks.ts'
import { createTicketViews, type TicketViews } from './views.ts'

/** The contact flow (docs/contract.md, Contact form): messages become tickets with their emails. */
export type ContactFeature = Feature & {
  /** The kept messages. */
  readonly tickets: TicketStore
  /** Acts on tickets. */
  readonly actions: TicketActions
  /** What became of each. */
  readonly history: TicketHistory
  readonly calls: MailCalls
  /** Emails to us. */
  readonly inbound: InboundStore
  /** Why an email waits for staff, in words. */
  readonly waitingReasons: typeof waitingReasons
  /** Texts for replies. */
  readonly blocks: TextBlocks
  /** The views of a ticket, with its whole conversation. */
  readonly views: TicketViews
}

/**
 * Makes the feature.
 * @param clientOf the client with an address, or null
 * @param clientIn the client who is signed in, or null
 * @param sessionIn the session of the visitor, staff too, or null
 * @param unsubscribe unsubscribes the address named in an email's subject from the newsletter; false
 *   for any other subject
 */
export function contactFeature(
  platform: Platform,
  {
    clientOf,
    clientIn,
    sessionIn,
    unsubscribe,
  }: {
    clientOf: (email: string) => { name: string; panel: string } | null
    clientIn: ClientFeature['clientIn']
    sessionIn: ClientFeature['sessionIn']
    unsubscribe: (tx: Transaction, subject: string) => boolean
  },
): ContactFeature {
  const { config, content, db } = platform
  const tickets = createTicketStore(db)
  const files = createReplyFiles(platform)
  const actions = createTicketActions(platform, { tickets, files })
  const links = createTicketLinks(platform, tickets, { sessionIn })
  const inbound = createInboundStore(db)
  const blocks = createTextBlocks(platform)
  const views = createTicketViews(platform, { tickets, inbound, blocks, files })
  const calls = createMailCalls(platform, tickets)
  const history = createTicketHistory(platform, { tickets, calls })
  const kept = { tickets, actions, history, calls, inbound, files }
  const receiving = {
    acts: createInboundActs(platform, {
      tickets,
      actions,
      store: inbound,
      ticketOfLink: links.named,
      unsubscribe,
    }),
    store: inbound,
  }
  const receivingState = receivingChecks(platform, inbound)
  return {
    name: 'contact',
    tickets,
    actions,
    history,
    calls,
    inbound,
    blocks,
    views,
    waitingReasons,
    async routes(http) {
      const { contactRoutes } = await import('./routes.ts')
      contactRoutes(platform, http, { actions, calls, clientIn, links, views, files })
    },
    mailTemplates: {
      ...contactMails({ tickets, mail: config.mail, clientOf, links }),
      ...conversationMails({
        tickets,
        mails: platform.mails,
        mail: config.mail,
        links,
        inbound,
        files,
      }),
    },
    signs: [
      {
        kind: 'links',
        what: 'ticket links of visitors and staff',
        purposes: ['ticket', 'ticket-staff'],
      },
    ],
    reservedPaths: ['tickets'],
    privatePaths: [paths.ticket(''), paths.deskTicket(''), '/api/ticket/', '/api/desk/tickets/'],
    jobs: [...contactJobs(platform, kept), ...receivingJobs(platform, receiving)],
    // As the form and its email call spell them.
    secretFields: ['Name', 'Email', 'htmlContent'],
    searchPages: async () => [await contactSearchPage(content)],
    overview: contactOverview(content),
    files: [securityFile(platform)],
    panelBlocks: [ticketBlock(tickets)],
    personalData: contactData(platform, kept),
    desk: { ...ticketDesk(platform, tickets, inbound), linkTarget: links.linkTarget },
    digest: () => [
      {
        count: tickets.overdue(platform.clock()).length,
        what: 'late replies',
        one: 'late reply',
        command: 'pitlane tickets due',
        group: 'Late replies',
      },
      {
        count: tickets.quarantined(),
        what: 'in quarantine',
        command: 'pitlane tickets list --status quarantined',
        group: 'Tickets in quarantine',
      },
      {
        count: calls.heldCount(),
        what: 'notices without a saved message',
        one: 'notice without a saved message',
        command: 'pitlane mail held',
      },
      {
        count: inbound.waitingCount(),
        what: 'emails to read in your mailbox',
        one: 'email to read in your mailbox',
        command: 'pitlane tickets emails',
        group: 'Emails to read in your mailbox',
      },
    ],
    health: receivingState.health,
    doctor: [
      receivingState.doctor,
      {
        check: 'tickets',
        look() {
          const count = tickets.quarantined()
          return count > 0
            ? { state: 'warn', text: `${count} in quarantine` }
            : { state: 'ok', text: 'none in quarantine' }
        },
      },
    ],
  }
}
