import { lineOf, ratedAt, roundVatOnTotal, type BookingLine } from '#shared/bookings/price.ts'
import { isByDates, type SaleUnit } from '#shared/bookings/sale-units.ts'
import type { OfferEntries } from '#shared/bookings/staff-page.ts'
import { addDays, dateAt, dayStart } from '#shared/dates/civil-dates.ts'
import { failure } from '#shared/failures.ts'
import { officeTime } from '#shared/dates/helsinki-time.ts'
import type { Transaction } from '../../db/group-commit.ts'
import { release } from '../days/occupation.ts'
import type { Booking } from '../schema.ts'
import { agreementOn, changed, assertOpenTo, conditionsNow, end, type Changed } from './changes.ts'
import { checkOrder, checkPlaces, fieldProblem, timesOf, type BookingDeps } from './checks.ts'
import { workOn } from './own-lines.ts'

/**
 * Answers a request with an offer: lines by staff, optionally on other dates, which are held until the
 * offer ends. It replaces an earlier offer.
 * @param by `rate` of VAT for this customer, in per cent; `vatCheck`, what VIES said of their VAT ID
 * @throws invalid by field; `taken` with the nearest free dates; changed, wrong-state
 */
export function offer(
  tx: Transaction,
  deps: BookingDeps,
  booking: Booking,
  {
    entries,
    rate,
    vatCheck,
    note,
    by,
  }: {
    entries: OfferEntries
    rate: number
    vatCheck: Booking['vatCheck']
    note: string | null
    by: string
  },
): Changed {
  assertOpenTo('offer', booking)
  const now = deps.clock()
  const from = entries.from ?? booking.from
  const to = isByDates(booking.unit) ? (entries.to ?? (entries.from ? from : booking.to)) : from
  const range = { from, to }
  checkOrder(range)
  const lines = offeredLines(booking, entries, { range, rate })
  const validUntil = endOf(deps, { ...entries, from, unit: booking.unit }, now)
  release(tx, deps.days, booking)
  if (isByDates(booking.unit)) {
    timesOf(booking, range)
    checkPlaces(deps, { service: booking.service, ...range }, { anyDay: true })
  }
  const isMoved = from !== booking.from || to !== booking.to
  const asked = isMoved ? { from: booking.from, to: booking.to } : (booking.offer?.asked ?? null)
  return changed(tx, deps, booking, {
    state: 'offered',
    ...range,
    lines,
    vatCheck,
    offer: { asked, lines, note, validUntil, madeAt: now, by },
    conditions: conditionsNow(deps.rules()),
    termsVersion: deps.terms.keep(tx),
    answer: note,
    heldUntil: isByDates(booking.unit) ? validUntil : null,
  })
}

/** The first instant at which an offer can't be accepted any more: the end of a day. */
function endOf(
  { rules }: Pick<BookingDeps, 'rules'>,
  { validUntil, from, unit }: { validUntil?: string | undefined; from: string; unit: SaleUnit },
  now: number,
): number {
  const today = dateAt(now)
  if (from < today) throw fieldProblem('from', 'This day has passed')
  const last = validUntil ?? addDays(today, rules().offerDays)
  if (last < today) throw fieldProblem('validUntil', 'This day has passed')
  if (validUntil && validUntil > addDays(today, 90)) {
    throw fieldProblem('validUntil', 'An offer can stay open for 90 days at most')
  }
  const closes = dayStart(addDays(last, 1))
  if (!isByDates(unit)) return closes
  // An offer can't be accepted after the work was due to begin; on the day itself it can.
  return Math.min(closes, dayStart(from > today ? from : addDays(from, 1)))
}

function offeredLines(
  booking: Booking,
  { travel, discount, ...entered }: OfferEntries,
  { range, rate }: { range: { from: string; to: string }; rate: number },
): BookingLine[] {
  const work = ratedAt(workOn(booking, range, entered, rate), rate)
  if (work.length === 0) {
    throw fieldProblem('lines', 'This service has no price, so please enter at least one line')
  }
  const lines = roundVatOnTotal([
    ...work,
    ...(travel ? [lineOf({ kind: 'travel', text: 'Travel', price: travel }, rate)] : []),
    ...(discount ? [lineOf({ kind: 'discount', text: 'Discount', price: -discount }, rate)] : []),
  ])
  if (lines.reduce((sum, { net }) => sum + net, 0) <= 0) {
    throw fieldProblem('discount', 'The discount has to leave something to pay')
  }
  return lines
}

/**
 * Accepts an offer, which makes it an agreement.
 * @param shown the offer that was on the page; undefined for the current one
 * @throws changed when it changed or was answered; gone once it has ended
 */
export function accept(
  tx: Transaction,
  deps: BookingDeps,
  booking: Booking,
  { by, shown }: { by: string; shown: string | undefined },
): Changed {
  const { state, agreement } = booking
  if (state === 'confirmed' && agreement?.way === 'accepted') {
    throw failure('wrong-state', {
      message: 'You’ve already accepted this offer, and your booking is confirmed.',
    })
  }
  assertStands(deps, booking, 'accept', shown)
  release(tx, deps.days, booking)
  return changed(tx, deps, booking, {
    state: 'confirmed',
    heldUntil: null,
    agreement: agreementOn(tx, deps, booking, { by, way: 'accepted' }),
  })
}

/**
 * Declines an offer, and with it the booking.
 * @param shown as for {@link accept}
 * @throws changed when it changed or was answered; gone once it has ended
 */
export function refuse(
  tx: Transaction,
  deps: BookingDeps,
  booking: Booking,
  shown: string | undefined,
): Changed {
  assertStands(deps, booking, 'refuse', shown)
  return end(tx, deps, booking, 'refuse', 'declined', null)
}

/** Checks that an offer is still open, and is the one the customer saw. */
function assertStands(
  { clock }: Pick<BookingDeps, 'clock'>,
  booking: Booking,
  act: 'accept' | 'refuse',
  shown: string | undefined,
): void {
  const { state, offer: offered } = booking
  const isAnswered = state !== 'offered' && state !== 'expired'
  if (offered && !isAnswered && (state === 'expired' || clock() >= offered.validUntil)) {
    throw failure('gone', {
      message: `This offer ended on ${officeTime(offered.validUntil - 60_000)}. Please ask us for a new one.`,
    })
  }
  assertOpenTo(act, booking)
  if (shown !== undefined && shown !== offerId(booking)) {
    throw failure('changed', {
      message: 'We’ve changed this offer since you opened it. Please look at it again.',
    })
  }
}

/** An ID that changes with each offer of a booking; null without an offer. */
export const offerId = ({ offer: offered }: Booking): string | null =>
  offered && offered.madeAt.toString(36)
