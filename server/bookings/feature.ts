import { join } from 'node:path'
import * as z from 'zod'
import type { BookableService } from '#shared/bookings.ts'
import { paths } from '#shared/paths.ts'
import { createSignedTokens } from '../tokens.ts'
import type { Feature, Platform } from '../feature.ts'
import { bookingActions, type BookingActions } from './actions.ts'
import { bookingJobs } from './jobs.ts'
import { bookingMails } from './mails.ts'
import { bookingBlock } from './panel-block.ts'
import { bookingData } from './personal-data.ts'
import { bookingRoutes } from './routes.ts'
import { rulesFile } from './beside-content.ts'
import { createRulesFile } from './rules-file.ts'
import { createStaffFeed, type StaffFeed } from './staff-feed.ts'
import { createDayStore } from './day-store.ts'
import type { Booking } from './booking.ts'
import { createBookingStore } from './store.ts'
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
  const { config, clock, db, keys, log } = platform
  const bookings = createBookingStore(db, { clock })
  const days = createDayStore(db, { clock })
  const rules = createRulesFile({ file: join(config.contentDir, rulesFile), log })
  const tokens = (purpose: string) =>
    createSignedTokens({ keys, clock, purpose, schema: z.tuple([z.int()]) })
  const links = {
    visitor: tokens('booking'),
    staff: tokens('booking-staff'),
    feed: tokens('booking-feed'),
  }
  const urlOf = (path: string) => config.siteUrl + path
  const visitorUrl = ({ id }: Booking) => urlOf(paths.bookingPage(links.visitor.issue([id], null)))
  const staffUrl = ({ id }: Booking) => urlOf(paths.bookingStaff(links.staff.issue([id], null)))
  const panelOf = (email: string) => {
    const client = needs.clientOf(email)
    return client && urlOf(paths.panel(client.panel))
  }
  const serviceTitle = async (slug: string) =>
    (await needs.services()).find((service) => service.slug === slug)?.title ?? slug
  const deps = { rules: rules.inForce, bookings, days, clock }
  const actions = bookingActions(platform, {
    deps,
    links,
    visitorUrl,
    staffUrl,
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
    digest: () => {
      const { requested, quarantined } = bookings.waiting()
      return [
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
    },
    doctor: [
      {
        check: 'booking rules',
        look: () => {
          const problems = rules.problems()
          return problems.length > 0
            ? {
                state: 'warn',
                text: `${rulesFile}: ${problems.join('; ')}; the last good rules stay in force`,
              }
            : {
                state: 'ok',
                text: `${Object.keys(rules.inForce().services).length} services can be booked`,
              }
        },
      },
    ],
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
