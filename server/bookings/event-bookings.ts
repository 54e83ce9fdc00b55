import type { DateRange } from '#shared/bookings/bookings.ts'
import { addDays, dateAt, type CivilDate } from '#shared/dates/civil-dates.ts'
import type { Platform } from '../feature.ts'
import { openToVisitor } from './acts/changes.ts'
import type { BookingRules } from './days/rules.ts'
import type { BookingLinks } from './access.ts'
import type { Booking } from './schema.ts'
import type { DayStore } from './store/day-store.ts'
import type { BookingStore } from './store/store.ts'
import { readServiceDays } from './days/availability.ts'
import { placesLeft } from './days/capacity.ts'

/** A booking as the calendar knows it: enough to say which it is, and to write to its customer. */
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

/** A booking in words for an email to its customer, with what they can do at its address. */
type DescribedBooking = {
  booking: EventBooking
  service: string
  url: string
  acts: { cancel: boolean; move: boolean }
}

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
  /** A booking in words for an email to its customer; null for one that has ended or is gone. */
  describe(reference: string): Promise<DescribedBooking | null>
}

const ended: ReadonlySet<string> = new Set(['declined', 'cancelled', 'expired', 'quarantined'])

/** Makes the answers. */
export function eventBookings(
  { clock }: Pick<Platform, 'clock'>,
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
  return {
    daysOnSite: ({ from, to }) => readDaysOnSite({ rules: rules(), days, from, to, now: clock() }),
    inRange: (range) => Array.from(bookings.list(range)).filter(({ state }) => !ended.has(state)),
    ofEvent: (eventId) => bookings.ofEvent(eventId, dateAt(clock())),
    confirmedByEvent: bookings.confirmedByEvent,
    async describe(reference) {
      const booking = bookings.find(reference)
      if (!booking || ended.has(booking.state)) return null
      return {
        booking,
        service: await serviceTitle(booking.service),
        url: visitorUrl(booking),
        acts: openToVisitor(booking, rules().cutOffDays, clock()),
      }
    },
  }
}

/**
 * A day as a crew on site sees it: `free` takes another booking, `full` is booked out, `closed` cannot
 * be booked whatever else is booked, for the reason that is with it.
 */
export type DayOnSite = { state: 'free' | 'full' | 'closed'; reason: string | null }

/**
 * Reads how free the days of a range are for work on site, which is that of services that need crew
 * (of all services where none does): a day is as free as the freest of them.
 * @param options `now` in milliseconds of the epoch
 */
function readDaysOnSite({
  rules,
  days,
  from,
  to,
  now,
}: {
  rules: BookingRules
  days: Pick<DayStore, 'loads' | 'blocks'>
  from: CivilDate
  to: CivilDate
  now: number
}): (date: CivilDate) => DayOnSite {
  const all = Object.keys(rules.services)
  const needing = all.filter((service) => rules.services[service]!.needsCrew)
  const services = needing.length > 0 ? needing : all
  // A load for each service would be read again, and they are the same for all.
  const margin = Math.max(0, ...services.map((service) => rules.services[service]!.travelDays))
  const loads = days.loads(addDays(from, -margin), addDays(to, margin))
  const blocks = days.blocks(from, to)
  const read = services.map((service) => {
    const kept = { loads: () => loads, blocks: () => blocks }
    return { service, ...readServiceDays({ rules, days: kept, service, from, to, now }) }
  })
  const known = new Map<CivilDate, DayOnSite>()

  const look = (date: CivilDate): DayOnSite => {
    const open = read.filter(({ closedBecause }) => closedBecause(date) === null)
    if (open.length === 0) {
      return {
        state: 'closed',
        reason: read[0]?.closedBecause(date) ?? 'No services can be booked',
      }
    }
    if (open.some(({ day }) => day(date).free > 0)) return { state: 'free', reason: null }
    const hasCrew = open.some(({ service }) => placesLeft(rules, service, date, []) > 0)
    return hasCrew
      ? { state: 'full', reason: null }
      : { state: 'closed', reason: 'Our crew is away on these days' }
  }

  return (date) => {
    const found = known.get(date) ?? look(date)
    known.set(date, found)
    return found
  }
}
