import { join } from 'node:path'
import type { BookableService } from '#shared/bookings.ts'
import { paths } from '#shared/paths.ts'
import type { DigestLine, DoctorCheck, Feature, Platform } from '../feature.ts'
import { bookingActions, type BookingActions } from './actions.ts'
import { createBookingLinks } from './links.ts'
import { bookingJobs } from './jobs.ts'
import { bookingMails } from './mails.ts'
import { bookingBlock } from './panel-block.ts'
import { bookingData } from './personal-data.ts'
import { bookingRoutes } from './routes.ts'
import { rulesFile } from './beside-content.ts'
import { createRulesFile, type RulesFile } from './rules-file.ts'
import { createStaffFeed, type StaffFeed } from './staff-feed.ts'
import { createDayStore } from './day-store.ts'
import { createBookingStore, type BookingStore } from './store.ts'
import type { BookableEvent } from './views.ts'

/** What bookings take from other features. */
export type BookingNeeds = {
  /** The services that the site offers, with their prices. */
  services: () => Promise<readonly BookableService[]>
  /** An event that can be booked, by its id; null for one that is not there or cancelled. */
  event: (id: string) => Promise<BookableEvent | null>
  /** The client with an address. */
  clientOf: (email: string) => { name: string; panel: string } | null
}

/** Booking of days (docs/contract.md, Booking), and what others may do with bookings. */
export type BookingFeature = Feature & {
  readonly actions: BookingActions
  readonly feed: StaffFeed
}

/** Makes the feature. Nothing runs before jobs or requests call it. */
export function bookingFeature(platform: Platform, needs: BookingNeeds): BookingFeature {
  const { config, clock, db, log } = platform
  const bookings = createBookingStore(db, { clock })
  const days = createDayStore(db, { clock })
  const rules = createRulesFile({ file: join(config.contentDir, rulesFile), log })
  const links = createBookingLinks(platform)
  const { visitorUrl, staffUrl } = links
  const panelOf = (email: string) => {
    const client = needs.clientOf(email)
    return client && config.siteUrl + paths.panel(client.panel)
  }
  const serviceTitle = async (slug: string) =>
    (await needs.services()).find((service) => service.slug === slug)?.title ?? slug
  const deps = { rules: rules.inForce, bookings, days, clock }
  const actions = bookingActions(platform, {
    deps,
    links,
    event: needs.event,
    services: needs.services,
    serviceTitle,
  })
  const feed = createStaffFeed(platform, { bookings, tokens: links.feed, serviceTitle })
  return {
    name: 'bookings',
    actions,
    feed,
    routes: bookingRoutes(platform, actions, feed),
    mailTemplates: bookingMails({
      bookings,
      mail: config.mail,
      serviceTitle,
      visitorUrl,
      staffUrl,
      panelOf,
      cutOffDays: () => rules.inForce().cutOffDays,
    }),
    jobs: bookingJobs(platform, { deps, actions }),
    panelBlocks: [bookingBlock({ bookings, serviceTitle, visitorUrl })],
    pages: [paths.booking()],
    personalData: [bookingData(platform, { bookings, days, rules: rules.inForce })],
    digest: () => waitingLines(bookings.waiting()),
    doctor: [rulesCheck(rules)],
    reservedPaths: ['booking'],
    privatePaths: [
      paths.bookingPage(''),
      paths.bookingStaff(''),
      '/booking/feed/',
      '/api/bookings/by-link/',
      '/api/bookings/by-staff-link/',
    ],
  }
}

/** What staff's digest says of bookings that wait for them. */
const waitingLines = ({
  requested,
  quarantined,
}: ReturnType<BookingStore['waiting']>): DigestLine[] => [
  {
    count: requested,
    what: 'booking requests without an answer',
    command: 'pitlane bookings list --state requested',
  },
  {
    count: quarantined,
    what: 'booking requests in quarantine',
    command: 'pitlane bookings list --state quarantined',
  },
]

const rulesCheck = ({ problems, inForce }: RulesFile): DoctorCheck => ({
  check: 'booking rules',
  look: () => {
    const wrong = problems()
    return wrong.length > 0
      ? {
          state: 'warn',
          text: `${rulesFile}: ${wrong.join('; ')}; the last good rules stay in force`,
        }
      : {
          state: 'ok',
          text: `${Object.keys(inForce().services).length} services can be booked`,
        }
  },
})
