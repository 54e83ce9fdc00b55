import { aboutFeature } from './about/feature.ts'
import { analyticsFeature } from './analytics/feature.ts'
import { backupFeature } from './backups/feature.ts'
import { bookingFeature } from './bookings/feature.ts'
import { calendarFeature } from './calendar/feature.ts'
import { clientFeature } from './clients/feature.ts'
import { contactFeature } from './contact/feature.ts'
import { consentFeature } from './consent/feature.ts'
import { digestFeature } from './digest/feature.ts'
import type { Platform } from './feature.ts'
import { faqFeature } from './faq/feature.ts'
import { folderFeature } from './folders/feature.ts'
import { healthFeature } from './health/feature.ts'
import { homeFeature } from './home/feature.ts'
import { legalFeature } from './legal/feature.ts'
import { linkFeature } from './links/feature.ts'
import { logFeature } from './logs/feature.ts'
import { mailFeature } from './mails/feature.ts'
import { newsFeature } from './news/feature.ts'
import { newsletterFeature } from './newsletter/feature.ts'
import { orderFeature } from './orders/feature.ts'
import { portfolioFeature } from './portfolio/feature.ts'
import { shopFeature } from './shop/feature.ts'
import { knownServices, serviceFeature } from './services/feature.ts'
import { siteConfigFeature } from './site-config/feature.ts'
import { searchFeature } from './search/feature.ts'
import { seoFeature } from './seo/feature.ts'
import { privacyFeature } from './privacy/feature.ts'

/** Every feature of the site by name; the order is that of blocks in panels and of lines in listings. */
export function createFeatures(platform: Platform) {
  const clients = clientFeature(platform)
  const clientOf = (email: string) => clients.withEmail(email)[0] ?? null
  const calendar = calendarFeature(platform)
  const shop = shopFeature(platform)
  const services = knownServices(platform)
  const portfolio = portfolioFeature(platform, services)
  const faq = faqFeature(platform, services)
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
    contact: contactFeature(platform, { clientOf }),
    newsletter: newsletterFeature(platform),
    clients,
    folders: folderFeature(platform, clients),
    links: linkFeature(platform, clients),
    calendar,
    bookings: bookingFeature(platform, {
      services: services.offered,
      clientOf,
      event: calendar.bookable,
    }),
    shop,
    orders: orderFeature(platform, shop),
    consent: consentFeature(platform),
    analytics: analyticsFeature(platform),
    mails: mailFeature(platform),
    digest: digestFeature(platform),
    logs: logFeature(platform),
    backups: backupFeature(platform),
    privacy: privacyFeature(platform),
    siteConfig: siteConfigFeature(platform),
    legal: legalFeature(),
    health: healthFeature(platform),
  }
}

/** The features of {@link createFeatures}. */
export type Features = ReturnType<typeof createFeatures>
