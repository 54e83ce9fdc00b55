import { aboutFeature } from './about/feature.ts'
import { analyticsFeature } from './analytics/feature.ts'
import { backupFeature } from './backups/feature.ts'
import { bookingFeature, type BookingFeature } from './bookings/feature.ts'
import { calendarFeature } from './calendar/feature.ts'
import { clientFeature } from './clients/feature.ts'
import { contactFeature } from './contact/feature.ts'
import { consentFeature } from './consent/feature.ts'
import { deskFeature } from './desk/feature.ts'
import { digestFeature } from './digest/feature.ts'
import type { Platform } from './feature.ts'
import { faqFeature } from './faq/feature.ts'
import { folderFeature, type FolderFeature } from './folders/feature.ts'
import { healthFeature } from './health/feature.ts'
import { homeFeature } from './home/feature.ts'
import { keyFeature } from './keys/feature.ts'
import { legalFeature, type LegalFeature } from './legal/feature.ts'
import { limitsFeature } from './limits/feature.ts'
import { linkFeature } from './links/feature.ts'
import { logFeature } from './log-viewer/feature.ts'
import { mailFeature } from './mail-admin/feature.ts'
import { newsFeature } from './news/feature.ts'
import { newsletterFeature } from './newsletter/feature.ts'
import { orderFeature, type OrderFeature } from './orders/feature.ts'
import { portfolioFeature } from './portfolio/feature.ts'
import { shopFeature } from './shop/feature.ts'
import { knownServices, serviceFeature } from './services/feature.ts'
import { siteConfigFeature } from './site-config/feature.ts'
import { searchFeature } from './search/feature.ts'
import { seoFeature } from './seo/feature.ts'
import { privacyFeature } from './privacy/feature.ts'

/** Every feature of the site by name; the order is that of blocks in panels and of lines in listings. */
export function createFeatures(platform: Platform) {
  const clients = clientFeature(platform, {
    renamed: (tx, before, after) => folders.store.renameClient(tx, before, after),
  })
  const folders: FolderFeature = folderFeature(platform, clients)
  const clientOf = (email: string) => clients.withEmail(email)[0] ?? null
  const { clientIn, sessionIn } = clients
  const calendar = calendarFeature(platform, { bookings: () => bookings.forEvents })
  const shop = shopFeature(platform)
  const services = knownServices(platform)
  const portfolio = portfolioFeature(platform, services)
  const faq = faqFeature(platform, services, { cancellation: () => bookings.cancellation() })
  const legal: LegalFeature = legalFeature(platform, {
    cancellation: () => bookings.cancellation(),
  })
  const orders: OrderFeature = orderFeature(platform, shop, {
    clientIn,
    isBookingOn: (reference) => bookings.isOn(reference),
    bookingUrl: (reference) => bookings.urlOf(reference),
    isBookingOf: (reference, email) => bookings.isOf(reference, email),
    bookingAgreedAt: (reference) => bookings.agreedAt(reference),
    terms: legal.terms,
  })
  const bookings: BookingFeature = bookingFeature(platform, {
    services: services.offered,
    service: services.bookable,
    clientOf,
    clientIn,
    sessionIn,
    event: calendar.bookable,
    eventTitle: calendar.titleOf,
    isEventOff: calendar.isOff,
    billing: orders.ofBookings,
    terms: legal.terms,
  })
  const newsletter = newsletterFeature(platform)
  return {
    services: serviceFeature(platform, services, {
      work: portfolio.ofService,
      questionsOn: faq.questionsOn,
    }),
    home: homeFeature(platform),
    portfolio,
    news: newsFeature(platform),
    faq,
    about: aboutFeature(platform, faq),
    search: searchFeature(platform),
    seo: seoFeature(platform),
    contact: contactFeature(platform, {
      clientOf,
      clientIn,
      sessionIn,
      unsubscribe: newsletter.leaveByEmail,
    }),
    newsletter,
    clients,
    folders,
    links: linkFeature(platform, clients),
    calendar,
    bookings,
    shop,
    orders,
    consent: consentFeature(platform),
    analytics: analyticsFeature(platform),
    mails: mailFeature(platform),
    limits: limitsFeature(platform),
    digest: digestFeature(platform),
    desk: deskFeature(platform, clients),
    logs: logFeature(platform),
    backups: backupFeature(platform),
    keys: keyFeature(platform),
    privacy: privacyFeature(platform),
    siteConfig: siteConfigFeature(platform),
    legal,
    health: healthFeature(platform),
  }
}

/** The features of {@link createFeatures}. */
export type Features = ReturnType<typeof createFeatures>
