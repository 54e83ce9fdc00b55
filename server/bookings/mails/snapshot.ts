import * as z from 'zod'
import { cancelReasons, type CancelReason } from '#shared/booking-staff.ts'
import { bookingStates } from '#shared/bookings.ts'
import type { Booking } from '../schema.ts'
import { doerOf, doers, occasionOf, occasions } from './occasion.ts'

const range = z.object({ from: z.string(), to: z.string() })

/** What a queued email has as its data. */
export const mailData = z.object({
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
  /** What has happened, and in which state it was before; left out in reminders. */
  occasion: z.optional(z.enum(occasions)),
  before: z.optional(z.nullable(z.enum(bookingStates))),
  by: z.optional(z.enum(doers)),
  /** The dates before they changed, and the other ones that are asked for. */
  was: z.optional(z.nullable(range)),
  change: z.optional(z.nullable(range.extend({ heldUntil: z.number() }))),
  /** Whether the visitor made it. */
  isVisitor: z.optional(z.boolean()),
  /** What became of its money, in sentences. */
  settled: z.optional(z.array(z.string())),
  /** Whose wish a cancellation is. */
  because: z.optional(z.enum(cancelReasons)),
})

/** What a queued email remembers: the booking as it was then, without what names a person. */
export type Snapshot = z.output<typeof mailData>

/** What an email about a booking as it is now has to remember. */
export const snapshotOf = ({
  reference,
  state,
  sequence,
  from,
  to,
  changedAt,
  heldUntil,
  answer,
  change,
}: Booking): Snapshot => ({
  reference,
  state,
  sequence,
  from,
  to,
  changedAt,
  heldUntil,
  answer,
  change: change && { from: change.from, to: change.to, heldUntil: change.heldUntil },
})

/** What an email about a change has to remember; `before` is null for a new booking. */
export const snapshotOfChange = (
  before: Booking | null,
  after: Booking,
  {
    actor,
    settled,
    because,
  }: {
    actor: { name: string; isVisitor: boolean }
    settled: readonly string[]
    because?: CancelReason | undefined
  },
): Snapshot => {
  const { from, to } =
    before?.change && !after.change && before.from === after.from
      ? before.change
      : (before ?? after)
  return {
    ...snapshotOf(after),
    actor: actor.name,
    isVisitor: actor.isVisitor,
    before: before?.state ?? null,
    settled: [...settled],
    ...(after.state === 'cancelled' && because && { because }),
    by: doerOf(actor),
    occasion: occasionOf(before, after, actor),
    was: from === after.from && to === after.to ? null : { from, to },
  }
}
