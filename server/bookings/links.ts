import * as z from 'zod'
import { paths } from '#shared/paths.ts'
import type { Platform } from '../feature.ts'
import { createSignedTokens } from '../tokens.ts'
import type { Booking } from './booking.ts'

/** The links that open a booking, and those of staff's calendar, each signed for its own purpose. */
export type BookingLinks = ReturnType<typeof createBookingLinks>

/** Makes the links. */
export function createBookingLinks({
  keys,
  clock,
  config,
}: Pick<Platform, 'keys' | 'clock' | 'config'>) {
  const tokens = (purpose: string) =>
    createSignedTokens({ keys, clock, purpose, schema: z.tuple([z.int()]) })
  const visitor = tokens('booking')
  const staff = tokens('booking-staff')
  return {
    visitor,
    staff,
    feed: tokens('booking-feed'),
    /** The page of a booking for its visitor, absolute. */
    visitorUrl: ({ id }: Booking) => config.siteUrl + paths.bookingPage(visitor.issue([id], null)),
    /** The page of a booking for staff, absolute. */
    staffUrl: ({ id }: Booking) => config.siteUrl + paths.bookingStaff(staff.issue([id], null)),
  }
}
