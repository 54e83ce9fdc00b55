import { stateProblem } from '#shared/shop/address-rules.ts'
import { postcodeProblem } from '#shared/shop/postcodes.ts'
import { isCountry } from '#shared/shop/countries.ts'
import type { DateRange } from '#shared/bookings/bookings.ts'
import { bookingLimits } from '#shared/bookings/limits.ts'
import {
  datesFrom,
  daysBetween,
  instantAt,
  officeZone,
  type CivilDate,
} from '#shared/dates/civil-dates.ts'
import { longDate } from '#shared/dates/date-format.ts'
import { failure } from '#shared/failures.ts'
import type { Shares } from '../../shares/shares.ts'
import {
  bounds,
  freeParts,
  nearestRanges,
  readServiceDays,
  unavailableDays,
  type ServiceDays,
} from '../days/availability.ts'
import type { BookingRules } from '../days/rules.ts'
import type { LegalFeature } from '../../legal/feature.ts'
import type { Booking } from '../schema.ts'
import type { CrewStore } from '../store/crew-store.ts'
import type { DayStore } from '../store/day-store.ts'
import type { BookingStore } from '../store/store.ts'

/** What booking acts need from the rest of the site. */
export type BookingDeps = {
  rules: () => BookingRules
  bookings: BookingStore
  days: DayStore
  crew: CrewStore
  clock: () => number
  shares: Shares
  terms: Pick<LegalFeature['terms'], 'keep' | 'current'>
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
  if (daysBetween(from, to) >= bookingLimits.maxDays) {
    throw fieldProblem('to', `Please book ${bookingLimits.maxDays} days at most`)
  }
}

/**
 * Checks that every day of a range is still available.
 * @param options `anyDay` ignores notice and horizon, as for a booking that was made in time
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
 * Checks the times of a request in its zone and returns them as stored. On a range, they apply to each
 * day; an end before the start is on the next day.
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
    const problem =
      end < start
        ? 'The end is before the start. For work past midnight, choose the next day as the last day'
        : 'The end is the same as the start'
    throw fieldProblem('end', problem)
  }
  return { start, end, zone }
}

/** Checks that the billing country exists. @throws invalid */
export function checkCountry({ country }: { country?: string | null | undefined }): void {
  if (country !== undefined && country !== null && !isCountry(country)) {
    throw fieldProblem('country', 'Please choose a country')
  }
}

/** @throws invalid for an address without the state its country requires, or with an unknown one */
export function checkRegion({
  country,
  region,
}: {
  country?: string | null | undefined
  region?: string | null | undefined
}): void {
  const problem = stateProblem(country, region)
  if (problem !== null) throw fieldProblem('region', problem)
}

/** Checks the postal code of an address. @throws invalid */
export function checkPostcode({
  country,
  postcode,
}: {
  country?: string | null | undefined
  postcode?: string | null | undefined
}): void {
  const problem = postcodeProblem(country, postcode)
  if (problem !== null) throw fieldProblem('postcode', problem)
}

/** The failure of one field. */
export const fieldProblem = (field: string, message: string) =>
  failure('invalid', { errors: { [field]: message } })
