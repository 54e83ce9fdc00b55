import { analyticsFeature } from './analytics/feature.ts'
import { backupFeature } from './backups/feature.ts'
import type { Clients } from './clients/clients.ts'
import { bookingFeature } from './bookings/feature.ts'
import { calendarFeature } from './calendar/feature.ts'
import { clientFeature } from './clients/feature.ts'
import { contactFeature } from './contact/feature.ts'
import { consentFeature } from './consent/feature.ts'
import type { ConsentCounts } from './consent/store.ts'
import type { TicketStore } from './contact/store.ts'
import { digestFeature } from './digest/feature.ts'
import type { Platform } from './feature.ts'
import { folderFeature } from './folders/feature.ts'
import type { Folders } from './folders/folders.ts'
import { linkFeature } from './links/feature.ts'
import type { Links } from './links/links.ts'
import { logFeature } from './logs/feature.ts'
import type { MailCalls } from './mail/calls.ts'
import { mailUpkeep } from './mail/upkeep.ts'
import { newsletterFeature } from './newsletter/feature.ts'
import type { Newsletter } from './newsletter/newsletter.ts'
import { orderFeature } from './orders/feature.ts'
import { shopFeature } from './shop/feature.ts'
import { createServiceList } from './services/bookable.ts'
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

/** Every feature of the site by name; the order is that of blocks in panels and of lines in listings. */
export function createFeatures(
  platform: Platform,
  { tickets, calls, clients, folders, links, consents, newsletter }: Parts,
) {
  const clientOf = (email: string) => clients.withEmail(email)[0] ?? null
  const calendar = calendarFeature(platform)
  const shop = shopFeature(platform)
  const services = createServiceList(platform.content, platform.clock)
  return {
    contact: contactFeature(platform, { tickets, calls, clientOf }),
    newsletter: newsletterFeature(platform, newsletter),
    clients: clientFeature(platform, clients),
    folders: folderFeature(platform, folders),
    links: linkFeature(platform, links),
    calendar,
    bookings: bookingFeature(platform, { services, clientOf, event: calendar.bookable }),
    shop,
    orders: orderFeature(platform, shop),
    consent: consentFeature(platform, consents),
    analytics: analyticsFeature(platform),
    mail: mailUpkeep(platform),
    digest: digestFeature(platform),
    logs: logFeature(platform),
    backups: backupFeature(platform),
    privacy: privacyFeature(platform),
  }
}

/** The features of {@link createFeatures}. */
export type Features = ReturnType<typeof createFeatures>
