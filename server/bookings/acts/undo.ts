import { ratedAt } from '#shared/bookings/price.ts'
import { isByDates } from '#shared/bookings/sale-units.ts'
import { minuteMs } from '#shared/dates/durations.ts'
import { failure } from '#shared/failures.ts'
import type { Transaction } from '../../db/group-commit.ts'
import type { MailStore } from '../../mail/store.ts'
import { release } from '../days/occupation.ts'
import type { Actor } from '../mails/notices.ts'
import { system } from '../mails/snapshot.ts'
import type { Booking } from '../schema.ts'
import { changed, isTaken, type Changed } from './changes.ts'
import type { BookingBilling } from './ending.ts'
import { checkPlaces, type BookingDeps } from './checks.ts'

/** Acts of staff that can be taken back; what settles money can't. */
const undoable = new Set(['confirmed', 'confirmed by phone', 'declined', 'moved'])

/**
 * Whether a decision can be taken back, and what there was before it.
 * @param did `documents` is how many invoices and credit notes the booking has
 */
export function undoOf(
  { rules, clock }: Pick<BookingDeps, 'rules' | 'clock'>,
  { before, after }: Changed,
  { actor, act, documents }: { actor: Actor; act: string; documents: number },
): Booking['undo'] {
  const { undoMinutes } = rules()
  const isStaff = !actor.isVisitor && actor.name !== system.name
  if (!isStaff || undoMinutes === 0 || !undoable.has(act)) return null
  const { state, from, to, lines, answer, heldUntil, agreement, change } = before
  const at = clock()
  return {
    until: at + undoMinutes * minuteMs,
    by: actor.name,
    sequence: after.sequence,
    was: { state, from, to, lines, answer, heldUntil, agreement, change },
    at,
    documents,
    heard: knownToCustomer(before, at),
  }
}

/** A booking as far as its customer hears of changes. */
type Heard = NonNullable<NonNullable<Booking['undo']>['heard']>

const isPending = (undo: Booking['undo'], now: number): undo is NonNullable<Booking['undo']> =>
  undo !== null && now < undo.until

/** A booking as its customer knows it: without a decision whose email hasn't left. */
export function knownToCustomer(booking: Booking, now: number): Heard {
  const { state, from, to, start, end, place, scope, change, undo } = booking
  const asIs = { state, from, to, start, end, place, scope, change }
  if (!isPending(undo, now)) return asIs
  const { was, heard } = undo
  return heard ?? { ...asIs, state: was.state, from: was.from, to: was.to, change: was.change }
}

/**
 * What a customer has to be told once a decision is taken back: changes in an email that the decision
 * replaced, and corrections made in the meantime.
 * @returns the booking as the customer knows it; null where that is up to date
 */
export function outdatedVersion(heard: Heard, after: Booking): Booking | null {
  const isKnown = (Object.keys(heard) as (keyof Heard)[]).every(
    (field) => JSON.stringify(heard[field]) === JSON.stringify(after[field]),
  )
  return isKnown || !isTaken(after.state) ? null : { ...after, ...heard }
}

/**
 * Whether an invoice or credit note was issued since the last decision and over what it changed, so it
 * can't be taken back.
 */
function isInvoiced(booking: Booking, { issued }: Pick<BookingBilling, 'issued'>): boolean {
  const { undo, reference, state, from, to, agreement } = booking
  if (!undo) return false
  const { was, documents } = undo
  const isSamePrice = was.agreement?.agreedAt === agreement?.agreedAt
  if (was.state === state && was.from === from && was.to === to && isSamePrice) return false
  // In a row of an earlier version: only a confirmed booking can have had any before.
  return documents === undefined
    ? was.state !== 'confirmed' && issued(reference) > 0
    : issued(reference) !== documents
}

/** Until when the last decision can be taken back, in milliseconds; null where it can't. */
export const undoableUntil = (
  booking: Booking,
  billing: Pick<BookingBilling, 'issued'>,
  now: number,
): number | null =>
  booking.undo && now < booking.undo.until && !isInvoiced(booking, billing)
    ? booking.undo.until
    : null

/**
 * Takes the last decision back: the booking is as it was before, as far as its days are still free.
 * @throws gone once its email has left; wrong-state where there is none, or an invoice is out; `taken`
 */
export function undoDecision(
  tx: Transaction,
  deps: BookingDeps,
  booking: Booking,
  billing: Pick<BookingBilling, 'issued'>,
): Changed {
  const { undo, unit } = booking
  if (!undo) throw failure('wrong-state', { message: 'There’s no decision to undo.' })
  if (deps.clock() >= undo.until) {
    throw failure('gone', { message: 'The email about it has been sent, so it can’t be undone.' })
  }
  if (isInvoiced(booking, billing)) {
    throw failure('wrong-state', {
      message:
        'It has been invoiced or credited since, so it can’t be undone. Move or cancel the booking instead.',
    })
  }
  release(tx, deps.days, booking)
  const { service } = booking
  const { state, from, to } = undo.was
  const isSame = isTaken(booking.state) && from === booking.from && to === booking.to
  const holds = isTaken(state) && isByDates(unit)
  // The dates that it has are its own, also where they were blocked or full when it got them.
  if (holds && !isSame) checkPlaces(deps, { service, from, to }, { anyDay: true })
  // Other dates that were asked for are held again, too, unless someone has them by now.
  if (undo.was.change) checkPlaces(deps, { service, ...undo.was.change }, { anyDay: true })
  // Whom to invoice stays, and with it the rate of VAT.
  const rate = booking.lines[0]?.rate
  const lines = rate === undefined ? undo.was.lines : ratedAt(undo.was.lines, rate)
  return changed(tx, deps, booking, { ...undo.was, lines })
}

/** Drops the visitor's email about a decision that was replaced before it left. */
export function dropMail(
  tx: Transaction,
  { mails, clock }: { mails: Pick<MailStore, 'of' | 'remove'>; clock: () => number },
  { reference, undo }: Booking,
): void {
  if (!isPending(undo, clock())) return
  const waiting = mails
    .of('booking', reference)
    .filter(({ dedupeKey }) => dedupeKey.startsWith(`booking-${reference}-${undo.sequence}:`))
    .filter(({ status, dueAt }) => status === 'queued' && (dueAt ?? 0) > clock())
  mails.remove(
    tx,
    waiting.map(({ id }) => id),
  )
}
