import { hash } from 'node:crypto'
import { minuteMs } from '#shared/durations.ts'
import type { BookingRequest, DateRange } from '#shared/bookings.ts'
import { bookingLimits } from '#shared/booking-limits.ts'
import { daysBetween, instantAt, type CivilDate } from '#shared/civil-dates.ts'
import { failure } from '#shared/failures.ts'
import type { Transaction } from '../db/group-commit.ts'
import {
  bounds,
  nearestRanges,
  readServiceDays,
  unavailableDays,
  type ServiceDays,
} from './availability.ts'
import { newReference } from '../ids.ts'
import { occupy } from './occupation.ts'
import type { BookingRules } from './rules.ts'
import type { DayStore } from './day-store.ts'
import type { Booking } from './booking.ts'
import type { BookingStore } from './store.ts'

/** How many requests are taken as they come, before further ones are kept in quarantine. */
const unprovenPerHour = 3
/** How many one network may make in ten minutes, whatever they carry. */
const madeInTenMinutes = 120

/** Where a request came from. */
export type Origin = {
  /** Keyed hash of the sender's network. */
  network: string
  /** Whether it carried a form proof of ours that had not been used. */
  proven: boolean
  /** The title of the event that it names; null when there is none, or it was cancelled. */
  eventTitle: string | null
}

/** What is asked of the rest of the site. */
export type BookingDeps = {
  rules: () => BookingRules
  bookings: BookingStore
  days: DayStore
  clock: () => number
}

/** What became of a request. */
export type Taken = { booking: Booking; repeat: boolean }

/**
 * Takes a request: checks it against the rules and the days that are left, and keeps it together
 * with the days it holds. All of it happens in the one transaction that writes, so of two requests
 * for the last place one is told so.
 * @throws invalid by field; `taken` with the nearest free dates; `key` when the key stands for
 *   another request; too-many
 */
export function takeRequest(
  tx: Transaction,
  deps: BookingDeps,
  request: BookingRequest,
  { network, proven, eventTitle }: Origin,
): Taken {
  const { rules, bookings, clock } = deps
  const contentHash = hashOf(request)
  const known = bookings.ofKey(request.key)
  if (known) {
    if (known.contentHash !== contentHash) throw failure('key')
    return { booking: bookings.find(known.reference)!, repeat: true }
  }
  const now = clock()
  if (bookings.madeSince(network, now - 10 * minuteMs) >= madeInTenMinutes) {
    throw failure('too-many', { retryAfter: 600 })
  }
  const inForce = rules()
  checkDates(inForce, request, now)
  const times = instants(request)
  if (request.event && eventTitle === null) {
    throw fieldProblem('event', 'There is no such event, or it was cancelled')
  }
  const doubtful =
    Boolean(request.website) ||
    (!proven && bookings.unprovenSince(network, now - 60 * minuteMs) >= unprovenPerHour)
  if (!doubtful) checkPlaces(deps, request)
  const booking = keep(tx, bookings, {
    reference: '',
    key: request.key,
    contentHash,
    state: doubtful ? 'quarantined' : 'requested',
    service: request.service,
    from: request.from,
    to: request.to,
    travelDays: inForce.services[request.service]?.travelDays ?? 0,
    start: request.start ?? null,
    end: request.end ?? null,
    ...times,
    place: request.place,
    eventId: request.event ?? null,
    eventTitle,
    name: request.name,
    email: request.email,
    phone: request.phone ?? null,
    company: request.company ?? null,
    message: request.message ?? null,
    requestedAt: now,
    heldUntil: now + inForce.holdHours * 60 * minuteMs,
    network,
    proven,
  })
  if (!doubtful) occupy(tx, deps.days, booking)
  return { booking, repeat: false }
}

/**
 * Checks dates against the rules that no booking can bend: order, length, notice and horizon.
 * @throws invalid, by field
 */
export function checkDates(rules: BookingRules, { from, to }: DateRange, now: number): void {
  const { today, earliest, latest } = bounds(rules, now)
  if (to < from) throw fieldProblem('to', 'The last day lies before the first')
  if (daysBetween(from, to) >= bookingLimits.daysMost) {
    throw fieldProblem('to', `Please book at most ${bookingLimits.daysMost} days at once`)
  }
  if (from < today) throw fieldProblem('from', 'This day has passed')
  if (from < earliest) {
    throw fieldProblem('from', `We need ${rules.noticeHours} hours: the first day is ${earliest}`)
  }
  if (to > latest) throw fieldProblem('to', `Bookings are open until ${latest}`)
}

/**
 * Checks that every day of a range can still be had.
 * @param options `anyDay` leaves notice and horizon aside, as for a booking that was made in time
 * @throws invalid for a service that cannot be booked; `taken` with the nearest free dates
 */
export function checkPlaces(
  { rules, days, clock }: Pick<BookingDeps, 'rules' | 'days' | 'clock'>,
  { service, from, to }: { service: string } & DateRange,
  { anyDay = false } = {},
): void {
  const inForce = rules()
  if (!inForce.services[service]) throw fieldProblem('service', 'There is no such service')
  const now = clock()
  const read = (first: CivilDate, last: CivilDate): ServiceDays =>
    readServiceDays({ rules: inForce, days, service, from: first, to: last, now, anyDay })
  const asked = read(from, to)
  const missing = unavailableDays(asked, { from, to })
  if (missing.length === 0) return
  const isClosed = missing.some((date) => asked.day(date).state === 'closed')
  throw failure('taken', {
    ...(isClosed && { message: 'We are closed on some of these dates.' }),
    details: { nearest: nearestRanges({ from, to }, read) },
  })
}

/**
 * The instants of a request with times, by the clock in Helsinki. Of a time that comes twice the
 * first counts.
 * @throws invalid for a time that the clocks skip, or an end before the start
 */
function instants({ from, to, start, end }: Pick<BookingRequest, 'from' | 'to' | 'start' | 'end'>) {
  const startsAt = start ? instantAt(from, start) : null
  const endsAt = end ? instantAt(to, end) : null
  const skipped = 'The clocks skip this time on that day'
  if (start && startsAt === null) throw fieldProblem('start', skipped)
  if (end && endsAt === null) throw fieldProblem('end', skipped)
  if (end && !start) throw fieldProblem('start', 'Please say when it begins, too')
  if (startsAt !== null && endsAt !== null && endsAt <= startsAt) {
    throw fieldProblem('end', 'The end lies before the beginning')
  }
  return { startsAt, endsAt }
}

/** Draws references until one is free. */
function keep(
  tx: Transaction,
  bookings: BookingStore,
  booking: Parameters<BookingStore['insert']>[1],
): Booking {
  for (;;) {
    const reference = newReference('B')
    if (bookings.insert(tx, { ...booking, reference })) return bookings.find(reference)!
  }
}

/** What makes a repeated call the same request: all that the visitor entered. */
function hashOf({ key: _key, website: _website, ...request }: BookingRequest): string {
  const entries = Object.entries(request).filter(([, value]) => value !== undefined)
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1))
  return hash('sha256', JSON.stringify(sorted), 'base64url')
}

/** The failure of one field. */
export const fieldProblem = (field: string, message: string) =>
  failure('invalid', { errors: { [field]: message } })
