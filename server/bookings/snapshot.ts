import * as z from 'zod'
import { bookingStates } from '#shared/bookings.ts'
import type { Booking } from './booking.ts'

/** What a queued mail has as its data. */
export const snapshot = z.object({
  reference: z.string(),
  state: z.enum(bookingStates),
  sequence: z.number(),
  from: z.string(),
  to: z.string(),
  changedAt: z.number(),
  heldUntil: z.nullable(z.number()),
  answer: z.nullable(z.string()),
  /** Who made the change, for staff. */
  actor: z.optional(z.string()),
})

/** What a queued mail remembers: the booking as it was then, without what names a person. */
export type Snapshot = z.output<typeof snapshot>

/** What a mail about a booking as it is now has to remember. */
export const snapshotOf = (
  { reference, state, sequence, from, to, changedAt, heldUntil, answer }: Booking,
  actor?: string,
): Snapshot => ({ reference, state, sequence, from, to, changedAt, heldUntil, answer, actor })
