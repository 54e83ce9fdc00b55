import type { DateRange } from '#shared/bookings.ts'
import { dateAt, type CivilDate } from '#shared/civil-dates.ts'
import type { Platform } from '../feature.ts'
import { readDaysOnSite, type DayOnSite } from './days/days-on-site.ts'
import type { BookingRules } from './days/rules.ts'
import type { BookingLinks } from './signed-links.ts'
import type { Booking } from './schema.ts'
import { createBookingsOfEvents } from './store/bookings-of-events.ts'
import type { DayStore } from './store/day-store.ts'
import type { BookingStore } from './store/store.ts'

/** A booking as the calendar knows it: enough to say which it is, and to write to who made it. */
export type EventBooking = Pick<
  Booking,
  | 'reference'
  | 'state'
  | 'from'
  | 'to'
  | 'place'
  | 'eventId'
  | 'name'
  | 'email'
  | 'company'
  | 'mails'
>

/** What the calendar asks of bookings. */
export type EventBookings = {
  /** How free days are for a crew on site; one look at the database answers for the whole range. */
  daysOnSite(range: DateRange): (date: CivilDate) => DayOnSite
  /** Bookings with a day in a range that stand or wait for an answer, the earliest first. */
  inRange(range: DateRange): EventBooking[]
  /** Those of them that are still to come and name an event. */
  ofEvent(eventId: string): EventBooking[]
  /** How many confirmed bookings name each event, by its id. */
  confirmedByEvent(): ReadonlyMap<string, number>
  /** A booking in words for an email to who made it; null for one that has ended or is gone. */
  describe(
    reference: string,
  ): Promise<{ booking: EventBooking; service: string; url: string } | null>
}

const ended: ReadonlySet<string> = new Set(['declined', 'cancelled', 'expired', 'quarantined'])

/** Makes the answers. */
export function eventBookings(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  {
    rules,
    bookings,
    days,
    serviceTitle,
    visitorUrl,
  }: {
    rules: () => BookingRules
    bookings: BookingStore
    days: DayStore
    serviceTitle: (slug: string) => Promise<string>
    visitorUrl: BookingLinks['visitorUrl']
  },
): EventBookings {
  const ofEvents = createBookingsOfEvents(db)
  return {
    daysOnSite: ({ from, to }) => readDaysOnSite({ rules: rules(), days, from, to, now: clock() }),
    inRange: (range) => Array.from(bookings.list(range)).filter(({ state }) => !ended.has(state)),
    ofEvent: (eventId) => ofEvents.ofEvent(eventId, dateAt(clock())),
    confirmedByEvent: ofEvents.confirmedByEvent,
    async describe(reference) {
      const booking = bookings.find(reference)
      if (!booking || ended.has(booking.state)) return null
      return { booking, service: await serviceTitle(booking.service), url: visitorUrl(booking) }
    },
  }
}
