import { dateAt } from '#shared/dates/civil-dates.ts'
import { join } from 'node:path'
import type { BookableService } from '#shared/bookings/bookings.ts'
import { cancellationInWords } from '#shared/bookings/cancellation.ts'
import { bookingTexts } from '#shared/bookings/page-texts.ts'
import { linkedPaths } from '#shared/linked-paths.ts'
import { paths } from '#shared/paths.ts'
import { mainPages } from '../contributions/overview.ts'
import { createLastGoodFile } from '../content/files/last-good-file.ts'
import type { DigestLine, Feature, Finding, Platform } from '../feature.ts'
import type { LegalFeature } from '../legal/feature.ts'
import { searchPage } from '../contributions/search-source.ts'
import type { ClientFeature } from '../clients/feature.ts'
import { createBookingAccess, createBookingLinks } from './access.ts'
import { bookingActions, type BookingActions } from './acts/acts.ts'
import { tooLate } from './acts/changes.ts'
import { bookingDesk } from './desk.ts'
import { bookingAtDesk } from './desk-booking.ts'
import { bookingDocuments } from './documents.ts'
import type { BookingBilling } from './acts/ending.ts'
import { bookingJobs } from './acts/jobs.ts'
import { bookingMails } from './mails/mails.ts'
import { bookingBlock } from './panel-block.ts'
import { bookingData } from './personal-data.ts'
import { eventBookings, type EventBookings } from './event-bookings.ts'
import {
  rulesFile,
  defaultRules,
  readRules,
  servicesWithoutCrew,
  type BookingRules,
} from './days/rules.ts'
import { spokenRulesCheck } from './days/rules-in-texts.ts'
import { noun } from './acts/shares.ts'
import { createStaffFeed, type StaffFeed } from './staff-feed.ts'
import { createCrewStore } from './store/crew-store.ts'
import { createDayStore } from './store/day-store.ts'
import { createBookingStore, type BookingStore } from './store/store.ts'
import type { BookableEvent } from './views.ts'

/** What bookings take from other features. */
export type BookingFeatureDeps = {
  /** The services that the site offers, with their prices. */
  services: () => Promise<readonly BookableService[]>
  /** One of them, by its slug; without a price where the content has none. */
  service: (slug: string) => Promise<BookableService>
  /** An event that can be booked, by its id; null for one that can’t. */
  event: (id: string) => Promise<BookableEvent | null>
  /** The title of an event that staff may enter work for; null for one that is cancelled or not there. */
  eventTitle: (id: string) => Promise<string | null>
  /** Whether its organiser has cancelled an event. */
  isEventOff: (id: string) => Promise<boolean>
  /** The client with an address. */
  clientOf: (email: string) => { name: string; panel: string } | null
  /** The client who is signed in. */
  clientIn: ClientFeature['clientIn']
  sessionIn: ClientFeature['sessionIn']
  /** The invoices of bookings. */
  billing: BookingBilling
  /** The terms of service that bookings are made under. */
  terms: LegalFeature['terms']
}

/** Booking of days (docs/contract.md, Booking), and what others may do with bookings. */
export type BookingFeature = Feature & {
  readonly actions: BookingActions
  readonly feed: StaffFeed
  /** What the calendar asks of bookings. */
  readonly forEvents: EventBookings
  /** Whether a booking is confirmed. */
  isOn(reference: string): boolean
  /** The page of a booking for its client, absolute; null for one that is gone. */
  urlOf(reference: string): string | null
  /** Whether a booking is that of a mailbox. */
  isOf(reference: string, email: string): boolean
  /** When what is booked was agreed on last, in milliseconds; null for a booking that isn't confirmed. */
  agreedAt(reference: string): number | null
  /** What cancelling costs by the rules in force, in sentences. */
  readonly cancellation: () => string[]
}

/** Makes the feature. Nothing runs before jobs or requests call it. */
export function bookingFeature(platform: Platform, given: BookingFeatureDeps): BookingFeature {
  const { config, clock, db, log, shares } = platform
  const bookings = createBookingStore(db, { clock })
  const days = createDayStore(db, { clock })
  const rules = createLastGoodFile<BookingRules>({
    file: join(config.contentDir, rulesFile),
    dataDir: config.dataDir,
    read: readRules,
    missing: defaultRules,
    log,
  })
  let seen: BookingRules | null = null
  const rulesNow = () => {
    const now = rules.inForce()
    // The terms and questions say what cancelling costs, so their pages are rendered again.
    if (seen && now !== seen)
      void platform.commit((tx) => platform.siteVersion.changed(tx)).catch(() => {})
    seen = now
    return now
  }
  const links = createBookingLinks(platform, bookings)
  const { visitorUrl, staffUrl } = links
  const serviceTitle = async (slug: string) => (await given.service(slug)).title
  const crew = createCrewStore(db, { clock })
  const documents = bookingDocuments({
    clock,
    billing: given.billing,
    crew,
    rules: rules.inForce,
    serviceTitle,
  })
  const deps = { rules: rulesNow, bookings, days, crew, clock, shares, terms: given.terms }
  const actions = bookingActions(platform, {
    deps,
    links,
    event: given.event,
    eventTitle: given.eventTitle,
    isEventOff: given.isEventOff,
    services: given.services,
    service: given.service,
    serviceTitle,
    billing: given.billing,
    documents,
  })
  const { clientIn, sessionIn } = given
  const isInCrew = (person: string) => rulesNow().crew.some(({ name }) => name === person)
  const access = createBookingAccess(platform, {
    bookings,
    links,
    clientIn,
    isOnCrew: (booking, person) => crew.of(booking).includes(person) && isInCrew(person),
  })
  const feed = createStaffFeed(platform, {
    bookings,
    crew,
    isInCrew,
    serviceTitle,
    sheetUrl: links.sheetUrl,
  })
  return {
    name: 'bookings',
    actions,
    feed,
    forEvents: eventBookings(platform, {
      rules: rules.inForce,
      bookings,
      days,
      serviceTitle,
      visitorUrl,
    }),
    cancellation: () => cancellationInWords(rulesNow().cancellation),
    isOn: (reference) => bookings.find(reference)?.state === 'confirmed',
    urlOf(reference) {
      const booking = bookings.find(reference)
      return booking && visitorUrl(booking)
    },
    isOf: (reference, email) =>
      bookings.find(reference)?.email.toLowerCase() === email.toLowerCase(),
    agreedAt(reference) {
      const booking = bookings.find(reference)
      return booking?.state === 'confirmed' ? (booking.agreement?.agreedAt ?? null) : null
    },
    async routes(http) {
      const { bookingRoutes } = await import('./routes.ts')
      bookingRoutes(platform, http, { actions, access, feed, clientIn, sessionIn })
    },
    mailTemplates: bookingMails({
      // By a wrong clock, every reminder would be too late.
      dayFor: ({ queuedAt }, zone) => dateAt(platform.siteClock.doubt() ? queuedAt : clock(), zone),
      crew,
      rules: rules.inForce,
      sheetUrl: links.sheetUrl,
      bookings,
      mail: config.mail,
      serviceTitle,
      visitorUrl,
      staffUrl,
      waitingLink({ reference, state }) {
        const claim = state === 'quarantined' ? shares.waiting(noun, reference) : null
        if (!claim) return null
        const url = config.siteUrl + linkedPaths.bookingConfirm(shares.linkToken(claim))
        return { url, until: claim.until }
      },
      clientOf: given.clientOf,
      billing: given.billing,
      documents,
      cutOffDays(booking) {
        const { cutOffDays } = rules.inForce()
        return tooLate(booking, cutOffDays, clock()) === null ? cutOffDays : null
      },
    }),
    jobs: bookingJobs(platform, { deps, actions }),
    panelBlocks: [bookingBlock({ bookings, serviceTitle })],
    pages: [paths.booking()],
    overview: [
      {
        heading: mainPages,
        read: () => [
          {
            text: 'Booking',
            path: paths.booking(),
            about: 'choose a service and dates, see what’s open and send a request',
          },
        ],
      },
    ],
    searchPages: () => [
      searchPage(paths.booking(), bookingTexts, {
        names: [
          'booking',
          'book',
          'book now',
          'bookings',
          'availability',
          'free dates',
          'reservation',
        ],
      }),
    ],
    personalData: [bookingData(platform, { bookings, days, rules: rules.inForce })],
    signs: [
      {
        kind: 'links',
        what: 'booking links of clients and staff',
        purposes: ['booking', 'booking-staff', 'booking-sheet', 'booking-sheet-of'],
      },
      {
        kind: 'calendar-feed',
        what: 'the secret URLs of the staff and crew booking calendars',
        purposes: ['booking-feed', 'booking-crew-feed'],
      },
    ],
    desk: bookingDesk(bookings, bookingAtDesk(platform, { actions, access })),
    digest: () => waitingLines(bookings.waiting()),
    health: () => ({ bookingRules: rules.health() }),
    doctor: [
      rules.check('booking rules', rulesFinding),
      spokenRulesCheck(platform.content, rulesNow),
    ],
    reservedPaths: ['booking'],
    privatePaths: [
      paths.bookingPage(''),
      paths.bookingStaff(''),
      linkedPaths.bookingConfirm(''),
      '/booking/feed/',
      linkedPaths.bookingSheet(''),
      '/api/bookings/by-link/',
      '/api/bookings/by-staff-link/',
    ],
  }
}

/** What staff's digest says of bookings that wait for them. */
const waitingLines = ({
  requested,
  changing,
  quarantined,
}: ReturnType<BookingStore['waiting']>): DigestLine[] => [
  {
    count: requested,
    what: 'unanswered booking requests',
    one: 'unanswered booking request',
    command: 'pitlane bookings list --state requested',
    group: 'Booking requests',
  },
  {
    count: changing,
    what: 'date changes requested',
    one: 'date change requested',
    command: 'pitlane today',
    group: 'Date changes requested',
  },
  {
    count: quarantined,
    what: 'booking requests in quarantine',
    one: 'booking request in quarantine',
    command: 'pitlane bookings list --state quarantined',
    group: 'Booking requests in quarantine',
  },
]

/** What doctor says of rules in force. */
function rulesFinding(rules: BookingRules): Finding {
  const idle = servicesWithoutCrew(rules)
  return idle.length > 0
    ? { state: 'warn', text: `no crew member does ${idle.join(', ')}, so it can’t be booked` }
    : { state: 'ok', text: `${Object.keys(rules.services).length} services can be booked` }
}
