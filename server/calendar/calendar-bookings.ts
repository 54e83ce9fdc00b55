import type { CivilDate } from '#shared/dates/civil-dates.ts'
import type { Occupancy } from './coverage.ts'
import type { TouchedBooking } from './schema.ts'

/** What the calendar takes from bookings. */
export type CalendarBookings = Occupancy & {
  /** Bookings with a day in a range that stand or wait for an answer, the earliest first. */
  inRange(range: { from: CivilDate; to: CivilDate }): TouchedBooking[]
  /** Those that are still to come and name an event. */
  ofEvent(eventId: string): TouchedBooking[]
  /**
   * A booking in words for an email to its customer, and what they can do at its address; null for one
   * that has ended or is gone.
   */
  describe(reference: string): Promise<{
    booking: TouchedBooking
    service: string
    url: string
    acts: { cancel: boolean; move: boolean }
  } | null>
}
