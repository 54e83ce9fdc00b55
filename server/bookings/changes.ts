import { hourMs } from '#shared/durations.ts'
import type { BookingState, DateRange } from '#shared/bookings.ts'
import { dayStart, addDays, instantAt } from '#shared/civil-dates.ts'
import { failure } from '#shared/failures.ts'
import type { Transaction } from '../db/group-commit.ts'
import { occupy, release } from './occupation.ts'
import { checkDates, checkPlaces, type BookingDeps } from './requests.ts'
import type { Booking } from './booking.ts'
import type { BookingChange } from './store.ts'

/**
 * What may become of a booking. Every change reads the booking and writes it in one transaction,
 * with compare-and-swap on its sequence, so that of two people only one decides.
 */

/** The states that each act may start from. */
const startsFrom = {
  confirm: ['requested', 'quarantined', 'expired'],
  decline: ['requested', 'quarantined'],
  cancel: ['requested', 'confirmed', 'quarantined'],
  move: ['requested', 'confirmed'],
  expire: ['requested'],
} as const satisfies Record<string, readonly BookingState[]>

/** Something that is done to a booking. */
export type Act = keyof typeof startsFrom

/** A booking before and after a change. */
export type Changed = { before: Booking; after: Booking }

/** Whether an act is possible in a state. */
export const isPossible = (act: Act, state: BookingState): boolean =>
  (startsFrom[act] as readonly BookingState[]).includes(state)

/**
 * Confirms a booking: its days are checked once more, without the places that it holds itself.
 * @throws `taken` when another booking has them; `clash` when it is no longer to be confirmed
 */
export function confirm(
  tx: Transaction,
  deps: BookingDeps,
  booking: Booking,
  answer: string | null,
): Changed {
  mustBe('confirm', booking)
  release(tx, deps.days, booking)
  checkPlaces(deps, booking, { anyDay: true })
  return write(tx, deps, booking, { state: 'confirmed', answer, heldUntil: null })
}

/** Declines a request, which frees its days. @throws clash */
export function decline(
  tx: Transaction,
  deps: BookingDeps,
  booking: Booking,
  answer: string | null,
): Changed {
  return end(tx, deps, booking, 'decline', 'declined', answer)
}

/** Cancels a booking, which frees its days. @throws clash */
export function cancel(
  tx: Transaction,
  deps: BookingDeps,
  booking: Booking,
  answer: string | null = null,
): Changed {
  return end(tx, deps, booking, 'cancel', 'cancelled', answer)
}

/** Ends a request that was not answered in time. @throws clash */
export function expire(tx: Transaction, deps: BookingDeps, booking: Booking): Changed {
  return end(tx, deps, booking, 'expire', 'expired', null)
}

/**
 * Moves a booking to other dates: holds the new ones, frees the old, and asks staff again.
 * @throws invalid by field; `taken` with the nearest free dates; clash
 */
export function move(
  tx: Transaction,
  deps: BookingDeps,
  booking: Booking,
  { from, to }: DateRange,
): Changed {
  mustBe('move', booking)
  const now = deps.clock()
  const rules = deps.rules()
  checkDates(rules, { from, to }, now)
  release(tx, deps.days, booking)
  checkPlaces(deps, { service: booking.service, from, to })
  const startsAt = booking.start ? instantAt(from, booking.start) : null
  const endsAt = booking.end ? instantAt(to, booking.end) : null
  const skipped = failure('invalid', {
    errors: { from: 'The clocks skip the time of this booking on that day' },
  })
  if ((booking.start && startsAt === null) || (booking.end && endsAt === null)) throw skipped
  return write(tx, deps, booking, {
    state: 'requested',
    heldUntil: now + rules.holdHours * hourMs,
    from,
    to,
    startsAt,
    endsAt,
  })
}

/**
 * Why a visitor can no longer change a booking by the link; null while it is possible.
 * @param now milliseconds of the epoch
 */
export function tooLate(booking: Booking, cutOffDays: number, now: number): string | null {
  if (now >= dayStart(booking.from)) return 'The first day of this booking has come.'
  if (booking.state !== 'confirmed') return null
  if (now < dayStart(addDays(booking.from, -cutOffDays))) return null
  return `Less than ${cutOffDays} days are left, so please contact us to change this booking.`
}

function end(
  tx: Transaction,
  deps: BookingDeps,
  booking: Booking,
  act: Act,
  state: BookingState,
  answer: string | null,
): Changed {
  mustBe(act, booking)
  release(tx, deps.days, booking)
  return write(tx, deps, booking, { state, answer, heldUntil: null })
}

function write(
  tx: Transaction,
  { bookings, days }: BookingDeps,
  before: Booking,
  change: BookingChange,
): Changed {
  const after = bookings.change(tx, before, {
    startsAt: before.start ? instantAt(before.from, before.start) : null,
    endsAt: before.end ? instantAt(before.to, before.end) : null,
    ...change,
  })
  if (!after) throw failure('clash', { message: 'Somebody else changed this booking meanwhile.' })
  occupy(tx, days, after)
  return { before, after }
}

/** @throws clash when an act is not possible any more */
function mustBe(act: Act, { state }: Booking): void {
  if (!isPossible(act, state)) {
    throw failure('clash', {
      message: `This booking is ${state}, so it cannot be changed this way.`,
    })
  }
}
