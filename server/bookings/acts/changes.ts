import {
  linesOn,
  ratedAt,
  roundVatOnTotal,
  totalOf,
  type BookingLine,
} from '#shared/bookings/price.ts'
import { isByDates } from '#shared/bookings/sale-units.ts'
import type { BookingState, BookingView, DateRange } from '#shared/bookings/bookings.ts'
import { addDays, dateAt, dayStart } from '#shared/dates/civil-dates.ts'
import { failure } from '#shared/failures.ts'
import type { Transaction } from '../../db/group-commit.ts'
import { holdEnd } from '../days/hold-end.ts'
import { occupy, release } from '../days/occupation.ts'
import type { BookingRules } from '../days/rules.ts'
import { workOn, type WorkEntries } from './own-lines.ts'
import {
  checkDates,
  checkOrder,
  checkPlaces,
  fieldProblem,
  timesOf,
  type BookingDeps,
} from './checks.ts'
import { billingOf, type Agreement, type Booking, type Conditions } from '../schema.ts'
import type { BookingChange } from '../store/store.ts'

/**
 * State changes of a booking. Each reads and writes the booking in one transaction, with
 * compare-and-swap on its sequence, so of two simultaneous decisions only one wins.
 */

/** The states that each act may start from. */
const startsFrom = {
  confirm: ['requested', 'quarantined', 'expired'],
  offer: ['requested', 'offered', 'quarantined', 'expired', 'declined'],
  accept: ['offered'],
  refuse: ['offered'],
  decline: ['requested', 'offered', 'quarantined'],
  cancel: ['requested', 'offered', 'confirmed', 'quarantined'],
  move: ['requested', 'confirmed'],
  expire: ['requested', 'offered', 'quarantined'],
  hold: ['quarantined'],
  bill: ['requested', 'offered', 'confirmed', 'quarantined'],
} as const satisfies Record<string, readonly BookingState[]>

/** An act on a booking. */
export type Act = keyof typeof startsFrom

/** A booking before and after a change. */
export type Changed = { before: Booking; after: Booking }

/** Whether an act is possible in a state. */
export const isPossible = (act: Act, state: BookingState): boolean =>
  (startsFrom[act] as readonly BookingState[]).includes(state)

/** Whether a booking holds or has its days. */
export const isTaken = (state: Booking['state']): boolean =>
  state === 'requested' || state === 'offered' || state === 'confirmed'

/** Acts of staff that answer a date change requested for a confirmed booking. */
const answersChange: readonly Act[] = ['confirm', 'decline', 'expire']

/** Whether an act is possible for a booking as it is. */
export const isOpenTo = (act: Act, { state, change }: Pick<Booking, 'state' | 'change'>): boolean =>
  isPossible(act, state) ||
  (change !== null && state === 'confirmed' && answersChange.includes(act))

/**
 * Confirms a booking, or the other dates that are asked for: its days are checked once more, without
 * the places that it holds itself.
 * @param keepLines that lines entered by hand keep their price on other dates
 * @throws `taken` when another booking has them; invalid where `keepLines` is missing; `wrong-state` when it is no longer to be confirmed, and
 *   for an offer that ended unanswered unless its customer has agreed on the phone
 */
export function confirm(
  tx: Transaction,
  deps: BookingDeps,
  booking: Booking,
  {
    answer,
    by,
    isByPhone = false,
    isAnyway = false,
    keepLines = false,
  }: {
    answer: string | null
    by: string
    isByPhone?: boolean
    keepLines?: boolean
    isAnyway?: boolean | undefined
  },
): Changed {
  const { state } = booking
  const isOffered = state === 'offered'
  if (!isOffered) assertOpenTo('confirm', booking)
  // The customer was shown the offer's price and hasn't agreed to it.
  if ((isOffered || (state === 'expired' && booking.offer)) && !isByPhone) {
    throw failure('wrong-state', {
      message: isOffered
        ? 'Our offer isn’t answered yet. Wait for the client, or confirm it as agreed by phone.'
        : 'Our offer ended unanswered. Make a new one, or confirm it as agreed by phone.',
    })
  }
  // Lines entered by hand don't follow the dates that the customer asks for.
  if (booking.change) workOn(booking, booking.change, { keepLines }, 0)
  release(tx, deps.days, booking)
  const asked = { ...booking, ...movedTo(booking) }
  // An offer holds its days, so the customer can agree by phone for as long as by the link.
  if (isByDates(booking.unit) && !isAnyway && !isOffered) checkPlaces(deps, asked, { anyDay: true })
  const agreement = agreementOn(tx, deps, asked, { by, way: isByPhone ? 'by-phone' : 'confirmed' })
  return changed(tx, deps, booking, {
    ...movedTo(booking),
    state: 'confirmed',
    answer,
    heldUntil: null,
    agreement,
    change: null,
  })
}

/** The conditions shown to customers now. */
export const conditionsNow = ({ cancellation, deposit }: BookingRules): Conditions => ({
  cancellation,
  deposit,
})

/** The conditions of a request or offer: those that its customer was shown. */
export const conditionsOf = (
  { rules }: Pick<BookingDeps, 'rules'>,
  { conditions }: Pick<Booking, 'conditions'>,
): Conditions => conditions ?? conditionsNow(rules())

/** The deposit in per cent of the price, due at confirmation; null for none. */
export function depositOf(
  { deposit }: Pick<Conditions, 'deposit'>,
  lines: readonly BookingLine[],
): number | null {
  const { gross } = totalOf(lines)
  return deposit && gross > 0 && gross >= deposit.fromTotal ? deposit.percent : null
}

/**
 * The agreement on a booking as it is now, under the conditions that its customer was shown. A change
 * of dates keeps the conditions agreed before.
 */
export function agreementOn(
  tx: Transaction,
  deps: Pick<BookingDeps, 'rules' | 'clock' | 'terms'>,
  booking: Booking,
  { by, way }: Pick<Agreement, 'by' | 'way'>,
): Agreement {
  const { from, to, lines, termsVersion, state, agreement } = booking
  const before = state === 'confirmed' ? agreement : null
  const shown = conditionsOf(deps, booking)
  return {
    agreedAt: deps.clock(),
    by,
    way,
    from,
    to,
    lines,
    billing: billingOf(booking),
    termsVersion: before?.termsVersion ?? termsVersion ?? deps.terms.keep(tx),
    cancellation: before?.cancellation ?? shown.cancellation,
    deposit: before ? before.deposit : depositOf(shown, lines),
  }
}

/**
 * Lets a waiting request proceed: it holds its days from now on, if they are still free.
 * @throws `taken`, changed, wrong-state
 */
export function hold(tx: Transaction, deps: BookingDeps, booking: Booking): Changed {
  assertOpenTo('hold', booking)
  const holdsDays = isByDates(booking.unit)
  if (holdsDays) checkPlaces(deps, booking, { anyDay: true })
  const heldUntil = holdsDays ? holdEnd(deps.clock(), deps.rules().holdHours, booking.from) : null
  return changed(tx, deps, booking, { state: 'requested', heldUntil })
}

/** The dates that a booking is asked to move to, with its lines on them; nothing where there are none. */
const movedTo = ({ change, lines }: Booking): Pick<BookingChange, 'from' | 'to' | 'lines'> =>
  change ? { from: change.from, to: change.to, lines: linesOn(lines, change) } : {}

/** Drops a requested date change; the agreement stays as it is. */
function keepDates(
  tx: Transaction,
  deps: BookingDeps,
  booking: Booking,
  answer: string | null,
): Changed {
  release(tx, deps.days, booking)
  return changed(tx, deps, booking, { answer, change: null })
}

/**
 * Declines a request, which frees its days, or a requested date change, which keeps the old dates.
 * @throws changed, wrong-state
 */
export function decline(
  tx: Transaction,
  deps: BookingDeps,
  booking: Booking,
  answer: string | null,
): Changed {
  return booking.change && booking.state === 'confirmed'
    ? keepDates(tx, deps, booking, answer)
    : end(tx, deps, booking, 'decline', 'declined', answer)
}

/** Cancels a booking, which frees its days. @throws changed, wrong-state */
export function cancel(
  tx: Transaction,
  deps: BookingDeps,
  booking: Booking,
  answer: string | null = null,
): Changed {
  return end(tx, deps, booking, 'cancel', 'cancelled', answer)
}

/** Ends a request, or a request for other dates, that was not answered in time. @throws changed, wrong-state */
export function expire(tx: Transaction, deps: BookingDeps, booking: Booking): Changed {
  return booking.change && booking.state === 'confirmed'
    ? keepDates(tx, deps, booking, null)
    : end(tx, deps, booking, 'expire', 'expired', null)
}

/**
 * Moves a booking to other dates, or the start of work by month or project, which staff alone do. A
 * request holds the new ones in place of the old. An agreement holds until staff accept other dates: a
 * visitor's new dates are held alongside it, those set by staff take effect at once.
 * @param isAsked whether it's the visitor who asks; choosing their old dates withdraws the request
 * @throws invalid by field; `taken` with the nearest free dates; changed, wrong-state
 */
export function move(
  tx: Transaction,
  deps: BookingDeps,
  booking: Booking,
  {
    from,
    to: last,
    by,
    isAsked,
    work = null,
  }: DateRange & {
    by: string
    isAsked: boolean
    /** What staff say about its lines, with the rate of VAT of new ones. */
    work?: (WorkEntries & Pick<Booking, 'vatCheck'> & { rate: number }) | null
  },
): Changed {
  if (isAsked && booking.state === 'quarantined') {
    throw failure('wrong-state', {
      message: 'This request holds no dates yet, so they can’t be changed.',
    })
  }
  assertOpenTo('move', booking)
  const now = deps.clock()
  const rules = deps.rules()
  const holdsDays = isByDates(booking.unit)
  if (!holdsDays && isAsked) {
    throw failure('wrong-state', {
      message: 'Please write to us, and we’ll agree on another start with you.',
    })
  }
  const to = holdsDays ? last : from
  const isAgreed = booking.state === 'confirmed'
  if (isAsked && from === booking.from && to === booking.to) {
    // Otherwise a visitor could extend the hold at will by asking again.
    if (!booking.change) throw fieldProblem('from', 'These are already your dates')
    return keepDates(tx, deps, booking, null)
  }
  if (isAsked) checkDates(rules, { from, to }, now)
  else {
    // As with bookings they enter or offer, notice and horizon are up to staff.
    checkOrder({ from, to })
    if (to < dateAt(now)) throw fieldProblem('from', 'This day has passed')
  }
  release(tx, deps.days, booking)
  if (holdsDays) {
    checkPlaces(deps, { service: booking.service, from, to }, { anyDay: !isAsked })
    timesOf(booking, { from, to })
  }
  if (isAgreed && isAsked) {
    // Neither the old dates nor the new ones begin while the change is undecided.
    const first = from < booking.from ? from : booking.from
    const heldUntil = holdEnd(now, rules.holdHours, first)
    return changed(tx, deps, booking, { change: { from, to, heldUntil, askedAt: now } })
  }
  const lines = work
    ? roundVatOnTotal(
        ratedAt(
          [
            ...workOn(booking, { from, to }, work, work.rate),
            ...booking.lines.filter(({ kind }) => kind !== 'service'),
          ],
          work.rate,
        ),
      )
    : linesOn(booking.lines, { from, to })
  const isSame =
    from === booking.from &&
    to === booking.to &&
    !booking.change &&
    JSON.stringify(lines) === JSON.stringify(booking.lines)
  // The client would hear that something has changed.
  if (isSame) throw fieldProblem('from', 'These are already its dates')
  const vatCheck = work ? work.vatCheck : booking.vatCheck
  const moved = { from, to, lines, vatCheck, change: null }
  if (!isAgreed)
    return changed(tx, deps, booking, {
      ...moved,
      state: 'requested',
      heldUntil: holdsDays ? holdEnd(now, rules.holdHours, from) : null,
    })
  const agreement = agreementOn(tx, deps, { ...booking, ...moved }, { by, way: 'by-phone' })
  return changed(tx, deps, booking, { ...moved, agreement })
}

/**
 * How far a booking's days have come, by the clock that its hours are told by; work by month or project
 * has no known end.
 */
export function stageOf(
  { unit, from, to, zone }: Pick<Booking, 'unit' | 'from' | 'to' | 'zone'>,
  now: number,
): BookingView['stage'] {
  const today = dateAt(now, zone)
  if (today < from) return 'ahead'
  return isByDates(unit) && today > to ? 'over' : 'on'
}

/**
 * Why a visitor can no longer change a booking by the link; null while it is possible. How many days are
 * left counts in Helsinki, as for what cancelling costs.
 * @param now milliseconds of the epoch
 */
export function tooLate(booking: Booking, cutOffDays: number, now: number): string | null {
  const isAgreed = booking.state === 'confirmed'
  const stage = stageOf(booking, now)
  if (stage !== 'ahead') {
    if (!isAgreed) return 'The first day you asked for has come.'
    return stage === 'over' ? 'This booking is over.' : 'This booking has already started.'
  }
  // The last of these days counts as a whole, as it does there, too.
  if (!isAgreed || now < dayStart(addDays(booking.from, 1 - cutOffDays))) return null
  return `Less than ${cutOffDays} days are left, so please contact us to change this booking.`
}

/**
 * What a visitor can do with a booking by the link, and why no longer.
 * @param now milliseconds of the epoch
 */
export function openToVisitor(
  booking: Booking,
  cutOffDays: number,
  now: number,
): { cancel: boolean; move: boolean; reason: string | null } {
  const { state, unit } = booking
  const late = tooLate(booking, cutOffDays, now)
  const isOpen = isPossible('cancel', state) && state !== 'quarantined'
  const isInTime = isOpen && late === null
  return {
    cancel: isInTime,
    move: isInTime && isPossible('move', state) && isByDates(unit),
    reason: isOpen ? late : null,
  }
}

/** Ends a booking in a state, which frees its days. @throws changed, wrong-state */
export function end(
  tx: Transaction,
  deps: BookingDeps,
  booking: Booking,
  act: Act,
  state: BookingState,
  answer: string | null,
): Changed {
  assertOpenTo(act, booking)
  release(tx, deps.days, booking)
  return changed(tx, deps, booking, { state, answer, heldUntil: null, change: null })
}

/** Writes a change, and counts the booking into the days that it now occupies. @throws changed, wrong-state */
export function changed(
  tx: Transaction,
  { bookings, days }: BookingDeps,
  before: Booking,
  change: BookingChange,
): Changed {
  // Only a cancelled booking owes a fee.
  const after = bookings.change(tx, before, { ...change, ...(change.state && { fee: null }) })
  if (!after) throw failure('changed', { message: 'Someone else has just changed this booking.' })
  occupy(tx, days, after)
  return { before, after }
}

/** What can't be done, as a sentence about the booking ends. */
const impossible: Readonly<Record<Act, string>> = {
  confirm: 'it can’t be confirmed',
  offer: 'no offer can be made for it',
  accept: 'there’s no offer to accept',
  refuse: 'there’s no offer to turn down',
  decline: 'it can’t be declined',
  cancel: 'it can’t be cancelled',
  move: 'its dates can’t be changed',
  expire: 'it can’t expire',
  hold: 'its dates can’t be held',
  bill: 'its billing details can’t be changed',
}

/** @throws wrong-state when an act is not possible, or not any more */
export function assertOpenTo(act: Act, booking: Booking): void {
  if (isOpenTo(act, booking)) return
  const { state } = booking
  throw failure('wrong-state', {
    message: `This booking is ${state === 'quarantined' ? 'waiting' : state}, so ${impossible[act]}.`,
  })
}

/** @throws changed when the booking has changed since the actor saw it */
export function assertSeen({ seen }: { seen?: number | undefined }, { sequence }: Booking): void {
  if (seen === undefined || seen === sequence) return
  throw failure('changed', {
    message:
      'This booking has changed since you opened the page. Please look at it again before you decide.',
  })
}
