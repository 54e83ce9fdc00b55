import { hash } from 'node:crypto'
import { minuteMs } from '#shared/durations.ts'
import { ratedAt, serviceLines } from '#shared/booking-price.ts'
import { isByDates } from '#shared/sale-units.ts'
import {
  missingFields,
  type BookableService,
  type BookingRequest,
  type DateRange,
} from '#shared/bookings.ts'
import { legalVersions } from '#shared/legal.ts'
import { bookingLimits } from '#shared/booking-limits.ts'
import {
  datesFrom,
  daysBetween,
  instantAt,
  officeZone,
  type CivilDate,
} from '#shared/civil-dates.ts'
import { longDate } from '#shared/date-format.ts'
import { failure } from '#shared/failures.ts'
import type { Transaction } from '../../db/group-commit.ts'
import {
  bounds,
  freeParts,
  nearestRanges,
  readServiceDays,
  unavailableDays,
  type ServiceDays,
} from '../days/availability.ts'
import { holdEnd } from '../days/hold-end.ts'
import { newReference } from '../../ids.ts'
import { isCountry } from '../countries.ts'
import { occupy } from '../days/occupation.ts'
import { daysOf, limitReached, noun } from './shares.ts'
import type { Sender } from '../../shares/claims.ts'
import type { Reached, Shares } from '../../shares/shares.ts'
import type { BookingRules } from '../days/rules.ts'
import type { CrewStore } from '../store/crew-store.ts'
import type { DayStore } from '../store/day-store.ts'
import type { Booking, NewBooking } from '../schema.ts'
import type { BookingStore } from '../store/store.ts'

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
  /** The service that it asks for, as it is offered now. */
  service: BookableService
  /** The rate of VAT for who asks, in per cent. */
  rate: number
  /** The title of the event that it names; null when there is none, or it was cancelled. */
  eventTitle: string | null
  /** The zone of that event, where times may be typed by its clock. */
  eventZone: string | null
  /** Whether it was made in the session of a client who has the address. */
  isOwn: boolean
  sender: Sender
}

/** What is asked of the rest of the site. */
export type BookingDeps = {
  rules: () => BookingRules
  bookings: BookingStore
  days: DayStore
  crew: CrewStore
  clock: () => number
  shares: Shares
}

/** What became of a request; `reached` is the limit that it waits for. */
export type Taken = { booking: Booking; repeat: boolean; reached: Reached | null }

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
  { network, proven, service, rate, eventTitle, eventZone, sender, isOwn }: Origin,
): Taken {
  const { rules, bookings, clock, shares } = deps
  const contentHash = hashOf(request)
  const known = bookings.ofKey(request.key)
  if (known) {
    if (known.contentHash !== contentHash) throw failure('key')
    return { booking: bookings.find(known.reference)!, repeat: true, reached: null }
  }
  const now = clock()
  if (bookings.madeSince(network, now - 10 * minuteMs) >= madeInTenMinutes) {
    throw failure('too-many', { retryAfter: 600 })
  }
  const inForce = rules()
  if (!inForce.services[service.slug]) throw fieldProblem('service', 'Unknown service')
  const { unit } = service
  const missing = missingFields(unit, request)
  if (Object.keys(missing).length > 0) throw failure('invalid', { errors: missing })
  const holdsDays = isByDates(unit)
  const { from } = request
  const days = { from, to: (holdsDays && request.to) || from }
  const asked = { service: service.slug, unit, ...days }
  checkDates(inForce, days, now)
  checkCountry(request)
  if (request.zone && request.zone !== officeZone && request.zone !== eventZone) {
    throw fieldProblem('zone', 'Times are in Helsinki time or the event’s time zone')
  }
  const times = holdsDays ? timesOf(request, days) : { start: null, end: null }
  if (request.event && eventTitle === null) {
    throw fieldProblem('event', 'Unknown or cancelled event')
  }
  const doubtful =
    Boolean(request.website) ||
    (!proven && bookings.unprovenSince(network, now - 60 * minuteMs) >= unprovenPerHour)
  if (!doubtful && holdsDays) checkPlaces(deps, asked)
  const reached = doubtful ? null : limitReached(deps, sender, asked)
  const parked = doubtful ? 'doubtful' : (reached?.parked ?? null)
  const bytes = parked ? Buffer.byteLength(JSON.stringify(request)) : 0
  if (parked) shares.checkRoom(noun, sender, bytes)
  const booking = keep(tx, bookings, {
    reference: '',
    key: request.key,
    contentHash,
    state: parked ? 'quarantined' : 'requested',
    ...asked,
    travelDays: (holdsDays && inForce.services[service.slug]?.travelDays) || 0,
    ...times,
    place: request.place ?? '',
    scope: request.scope ?? null,
    budget: request.budget ?? null,
    eventId: request.event ?? null,
    eventTitle,
    name: request.name,
    email: request.email,
    phone: request.phone ?? null,
    company: request.company ?? null,
    country: request.country ?? null,
    vatId: request.vatId ?? null,
    street: null,
    postcode: null,
    city: null,
    message: request.message ?? null,
    lines: ratedAt(serviceLines(service, days), rate),
    termsVersion: legalVersions.terms[0].version,
    conditions: { cancellation: inForce.cancellation, deposit: inForce.deposit },
    requestedAt: now,
    heldUntil: parked || !holdsDays ? null : holdEnd(now, inForce.holdHours),
    network,
    proven,
    verifiedAt: isOwn ? now : null,
  })
  if (!parked) occupy(tx, deps.days, booking)
  shares.claim(tx, noun, booking.reference, sender, { units: daysOf(asked), bytes, parked })
  return { booking, repeat: false, reached }
}

/**
 * Checks dates against the rules that no booking can bend: order, length, notice and horizon.
 * @throws invalid, by field
 */
export function checkDates(rules: BookingRules, { from, to }: DateRange, now: number): void {
  const { today, earliest, latest } = bounds(rules, now)
  checkOrder({ from, to })
  if (from < today) throw fieldProblem('from', 'This day has passed')
  if (from < earliest) {
    throw fieldProblem(
      'from',
      `We need ${rules.noticeHours} hours’ notice. Earliest available: ${longDate(earliest)}`,
    )
  }
  if (to > latest) throw fieldProblem('to', `Bookings are open until ${longDate(latest)}`)
}

/** Checks order and length of a range. @throws invalid, by field */
export function checkOrder({ from, to }: DateRange): void {
  if (to < from) throw fieldProblem('to', 'The last day is before the first')
  if (daysBetween(from, to) >= bookingLimits.daysMost) {
    throw fieldProblem('to', `Please book ${bookingLimits.daysMost} days at most`)
  }
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
  if (!inForce.services[service]) throw fieldProblem('service', 'Unknown service')
  const now = clock()
  const read = (first: CivilDate, last: CivilDate): ServiceDays =>
    readServiceDays({ rules: inForce, days, service, from: first, to: last, now, anyDay })
  const asked = read(from, to)
  const missing = unavailableDays(asked, { from, to })
  if (missing.length === 0) return
  const isClosed = missing.some((date) => asked.day(date).state === 'closed')
  throw failure('taken', {
    ...(isClosed && { message: 'We’re closed on some of these dates.' }),
    details: {
      nearest: nearestRanges({ from, to }, read),
      ...(to > from && { parts: freeParts(asked, { from, to }) }),
    },
  })
}

/**
 * Checks the times of a request by the clock of its zone, and gives them as they are kept. Hours of
 * several days are those of each; an end before the start is that of a night.
 * @throws invalid for a time that the clocks skip, or an end before the start on a single day
 */
export function timesOf(
  {
    start = null,
    end = null,
    zone = officeZone,
  }: {
    start?: string | null | undefined
    end?: string | null | undefined
    zone?: string | undefined
  },
  { from, to }: DateRange,
): Pick<Booking, 'start' | 'end' | 'zone'> {
  if (end && !start) throw fieldProblem('start', 'Please enter a start time, too')
  const dates = datesFrom(from, to)
  const isNight = Boolean(start && end && end <= start && dates.length > 1)
  const isSkipped = (time: string | null, on: readonly CivilDate[]) =>
    time !== null && on.some((date) => instantAt(date, time, zone) === null)
  const skipped = 'The clocks go forward that day, so this time doesn’t exist'
  if (isSkipped(start, isNight ? dates.slice(0, -1) : dates)) throw fieldProblem('start', skipped)
  if (isSkipped(end, isNight ? dates.slice(1) : dates)) throw fieldProblem('end', skipped)
  if (start && end && !isNight && instantAt(from, end, zone)! <= instantAt(from, start, zone)!) {
    throw fieldProblem('end', 'The end is before the start')
  }
  return { start, end, zone }
}

/** Checks that whom to invoice is in a country that there is. @throws invalid */
export function checkCountry({ country }: { country?: string | undefined }): void {
  if (country !== undefined && !isCountry(country)) {
    throw fieldProblem('country', 'Please choose a country')
  }
}

/** Draws references until one is free. */
function keep(tx: Transaction, bookings: BookingStore, booking: NewBooking): Booking {
  for (;;) {
    const reference = newReference('B')
    const kept = bookings.insert(tx, { ...booking, reference })
    if (kept) return kept
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
