import * as z from 'zod'
import { cancelReasons, type CancelReason } from '#shared/bookings/staff-page.ts'
import { bookingStates } from '#shared/bookings/bookings.ts'
import type { Booking } from '../schema.ts'

/** What has happened to a booking, as its emails tell it. */
const occasions = [
  'requested',
  'request-moved',
  'moved',
  'edited',
  'offered',
  'confirmed',
  'change-asked',
  'change-confirmed',
  'change-declined',
  'change-expired',
  'change-withdrawn',
  'declined',
  'cancelled',
  'expired',
  'quarantined',
  'undone',
] as const

/** One of {@link occasions}. */
export type Occasion = (typeof occasions)[number]

/** Who did it, as far as emails tell it. */
const doers = ['visitor', 'staff', 'system'] as const

/** One of {@link doers}. */
type Doer = (typeof doers)[number]

const range = z.object({ from: z.string(), to: z.string() })

/** What its customer hears of when staff edit it. */
const edited = z.object({
  start: z.nullable(z.string()),
  end: z.nullable(z.string()),
  place: z.string(),
  scope: z.nullable(z.string()),
})

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
  /** What was edited, as it was and as it is. */
  edited: z.optional(z.object({ was: edited, now: edited })),
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
  const occasion = occasionOf(before, after, actor)
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
    occasion,
    ...(occasion === 'edited' &&
      before && { edited: { was: editedOf(before), now: editedOf(after) } }),
    was: from === after.from && to === after.to ? null : { from, to },
  }
}

const editedOf = ({ start, end, place, scope }: Booking): z.output<typeof edited> => ({
  start,
  end,
  place,
  scope,
})

/** Who changes a booking, as far as it matters here. */
type Who = { name: string; isVisitor: boolean }

/** The actor of what happens because its time has come. */
export const system: Who = { name: 'system', isVisitor: false }

const doerOf = ({ name, isVisitor }: Who): Doer => {
  if (isVisitor) return 'visitor'
  return name === system.name ? 'system' : 'staff'
}

/** What has happened between two states of a booking; `before` is null for a new one. */
function occasionOf(before: Booking | null, after: Booking, actor: Who): Occasion {
  const { state } = after
  if (before === null || state !== before.state) return state
  // Another offer in the place of one: whatever it changes, it's a new answer with a last day of its own.
  if (state === 'offered' && after.offer?.madeAt !== before.offer?.madeAt) return 'offered'
  const isMoved = before.from !== after.from || before.to !== after.to
  if (state === 'confirmed' && after.change && after.change.askedAt !== before.change?.askedAt) {
    return 'change-asked'
  }
  if (state === 'confirmed' && before.change && !after.change) {
    if (isMoved) return before.change.from === after.from ? 'change-confirmed' : 'moved'
    const endings = { visitor: 'withdrawn', staff: 'declined', system: 'expired' } as const
    return `change-${endings[doerOf(actor)]}`
  }
  if (!isMoved) return 'edited'
  return actor.isVisitor ? 'request-moved' : 'moved'
}
