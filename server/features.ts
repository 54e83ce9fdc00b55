import { backupFeature } from './backups/feature.ts'
import type { Clients } from './clients/clients.ts'
import { clientFeature } from './clients/feature.ts'
import { contactFeature } from './contact/feature.ts'
import { consentFeature } from './consent/feature.ts'
import type { ConsentCounts } from './consent/store.ts'
import type { TicketStore } from './contact/store.ts'
import { digestFeature } from './digest/feature.ts'
import type { Feature, Platform } from './feature.ts'
import { folderFeature } from './folders/feature.ts'
import type { Folders } from './folders/folders.ts'
import { linkFeature } from './links/feature.ts'
import type { Links } from './links/links.ts'
import { logFeature } from './logs/feature.ts'
import type { MailCalls } from './mail/calls.ts'
import { mailUpkeep } from './mail/upkeep.ts'
import { newsletterFeature } from './newsletter/feature.ts'
import type { Newsletter } from './newsletter/newsletter.ts'
import { privacyFeature } from './privacy/feature.ts'

/** Parts that the context still makes itself. */
type Parts = {
  tickets: TicketStore
  calls: MailCalls
  clients: Clients
  folders: Folders
  links: Links
  consents: ConsentCounts
  newsletter: Newsletter
}

/** Every feature of the site; the order is that of blocks in panels and of lines in listings. */
export function createFeatures(
  platform: Platform,
  { tickets, calls, clients, folders, links, consents, newsletter }: Parts,
): Feature[] {
  const clientOf = (email: string) => clients.withEmail(email)[0] ?? null
  return [
    contactFeature(platform, { tickets, calls, clientOf }),
    newsletterFeature(platform, newsletter),
    clientFeature(platform, clients),
    folderFeature(platform, folders),
    linkFeature(platform, links),
    consentFeature(platform, consents),
    mailUpkeep(platform),
    digestFeature(platform),
    logFeature(platform),
    backupFeature(platform),
    privacyFeature(platform),
  ]
}
