import type { Feature, Platform } from '../feature.ts'
import { contactJobs } from './jobs.ts'
import { createMailCalls, type MailCalls } from './mail-call-store.ts'
import { contactMails } from './mails.ts'
import { contactOverview } from './overview.ts'
import { ticketBlock } from './panel-block.ts'
import { contactData } from './personal-data.ts'
import { contactRoutes } from './routes.ts'
import { contactPage } from './search.ts'
import { securityFile } from './security-file.ts'
import { createTicketStore, type TicketStore } from './store.ts'

/** The contact flow (docs/contract.md, Contact form): messages become tickets with their mails. */
export type ContactFeature = Feature & { readonly tickets: TicketStore; readonly calls: MailCalls }

/**
 * Makes the feature.
 * @param clientOf the client with an address, or null
 */
export function contactFeature(
  platform: Platform,
  { clientOf }: { clientOf: (email: string) => { name: string; panel: string } | null },
): ContactFeature {
  const { config, content, db, clock, log, mails, formProofs, timeline } = platform
  const tickets = createTicketStore(db, { clock, timeline, formProofs })
  const calls = createMailCalls({ db, clock, log, tickets, mails })
  return {
    name: 'contact',
    tickets,
    calls,
    routes: (http) => contactRoutes(platform, http, { tickets, calls }),
    mailTemplates: contactMails({ tickets, mail: config.mail, clientOf }),
    jobs: contactJobs(platform, { tickets, calls }),
    // As the form and its mail call spell them.
    secretFields: ['Name', 'Email', 'htmlContent'],
    searchPages: async () => [await contactPage(content)],
    overview: contactOverview(content),
    files: [securityFile(platform)],
    panelBlocks: [ticketBlock(tickets)],
    personalData: contactData({ tickets, calls, mails, dataDir: config.dataDir }),
    digest: () => [
      {
        count: tickets.quarantined(),
        what: 'in quarantine',
        command: 'pitlane tickets list --status quarantined',
      },
      {
        count: calls.heldCount(),
        what: 'notices without a saved message',
        command: 'pitlane mail held',
      },
    ],
    doctor: [
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
