import type { Availability, DateRange } from '#shared/bookings.ts'
import type { DaysToMove } from '#shared/booking-page.ts'
import { bookingLimits } from '#shared/booking-limits.ts'
import { isByDates, type SaleUnit } from '#shared/sale-units.ts'
import { daysBetween } from '#shared/civil-dates.ts'
import { isMonth, lastDayOf, monthOf } from '#shared/months.ts'
import { availableDays, bounds, readServiceDays } from './availability.ts'
import { daysWithout } from './occupation.ts'
import { fieldProblem, type BookingDeps } from '../acts/take-request.ts'
import type { Booking } from '../schema.ts'

/**
 * Answers how free the days of a service are.
 * @param unitOf how a service is sold
 * @throws invalid for an unknown service or one that holds no days, a range turned round or one of more
 *   than 100 days
 */
export async function availability(
  {
    rules,
    days,
    clock,
    unitOf,
  }: Pick<BookingDeps, 'rules' | 'days' | 'clock'> & {
    unitOf: (service: string) => Promise<SaleUnit>
  },
  { service, from, to }: { service: string } & DateRange,
): Promise<Availability> {
  if (!rules().services[service]) throw fieldProblem('service', 'Unknown service')
  if (!isByDates(await unitOf(service))) {
    throw fieldProblem('service', 'This service isn’t booked by the day')
  }
  if (to < from) throw fieldProblem('to', 'The range ends before it begins')
  const most = bookingLimits.availabilityDaysMost
  if (daysBetween(from, to) >= most) {
    throw fieldProblem('to', `Please ask for ${most} days at most`)
  }
  const read = readServiceDays({ rules: rules(), days, service, from, to, now: clock() })
  return {
    success: true,
    zone: 'Europe/Helsinki',
    service,
    days: availableDays(read, { from, to }),
  }
}

/**
 * Answers how free a month is for a booking that moves; what it holds itself counts as free.
 * @param asked YYYY-MM; the month of the booking where it is none, and the nearest that can be booked
 */
export function daysToMove(
  { rules, days, clock }: Pick<BookingDeps, 'rules' | 'days' | 'clock'>,
  booking: Booking,
  asked: string | undefined,
): DaysToMove {
  const limits = bounds(rules(), clock())
  const [first, last] = [monthOf(limits.today), monthOf(limits.latest)]
  const wanted = isMonth(asked) ? asked : monthOf(booking.from)
  const month = wanted < first ? first : wanted > last ? last : wanted
  const [from, to] = [`${month}-01`, lastDayOf(month)]
  const others = daysWithout(days, booking)
  const { service } = booking
  const read = readServiceDays({ rules: rules(), days: others, service, from, to, now: clock() })
  return { ...limits, month, days: availableDays(read, { from, to }) }
}
