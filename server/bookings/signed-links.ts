import * as z from 'zod'
import { linkedPaths } from '#shared/linked-paths.ts'
import { paths } from '#shared/paths.ts'
import type { Platform } from '../feature.ts'
import { createSignedTokens } from '../tokens.ts'
import type { Booking } from './schema.ts'
import type { BookingStore } from './store/store.ts'

/** The links that open a booking, each signed for its own purpose. */
export type BookingLinks = ReturnType<typeof createBookingLinks>

/** The secret of a booking, or the row number that links of earlier versions were signed over. */
const schema = z.tuple([z.union([z.string(), z.int()])])

/** Makes the links. */
export function createBookingLinks(
  { keys, clock, config }: Pick<Platform, 'keys' | 'clock' | 'config'>,
  bookings: Pick<BookingStore, 'secretOf'>,
) {
  const visitor = createSignedTokens({ keys, clock, purpose: 'booking', schema })
  const staff = createSignedTokens({ keys, clock, purpose: 'booking-staff', schema })
  const sheet = createSignedTokens({ keys, clock, purpose: 'booking-sheet', schema })
  const sheetOf = createSignedTokens({
    keys,
    clock,
    purpose: 'booking-sheet-of',
    schema: z.tuple([z.string(), z.string()]),
  })
  return {
    visitor,
    staff,
    sheet,
    sheetOf,
    /**
     * The call sheet of a booking, absolute.
     * @param person whose link it is, which opens while they work on it; for staff without one
     */
    sheetUrl(booking: Booking, person?: string) {
      const secret = bookings.secretOf(booking)
      const token =
        person === undefined ? sheet.issue([secret], null) : sheetOf.issue([secret, person], null)
      return config.siteUrl + linkedPaths.bookingSheet(token)
    },
    /** The page of a booking for its visitor, absolute. */
    visitorUrl: (booking: Booking) =>
      config.siteUrl + paths.bookingPage(visitor.issue([bookings.secretOf(booking)], null)),
    /** The page of a booking for staff, absolute. */
    staffUrl: (booking: Booking) =>
      config.siteUrl + paths.bookingStaff(staff.issue([bookings.secretOf(booking)], null)),
  }
}
