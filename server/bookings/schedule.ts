import { hourMs } from '#shared/durations.ts'
import { addDays, instantAt } from '#shared/civil-dates.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { BookingRules } from './rules.ts'
import type { Booking } from './booking.ts'

/** The kinds of jobs of a booking. */
export const kinds = {
  expire: 'bookings.expire',
  remindStaff: 'bookings.remind-staff',
  remindVisitor: 'bookings.remind-visitor',
} as const

/** The jobs that a booking may have, by kind and key. */
export const jobsOf = (rules: BookingRules, reference: string): (readonly [string, string])[] => [
  [kinds.expire, reference],
  [kinds.remindStaff, reference],
  ...rules.visitorReminderDays.map(
    (days) => [kinds.remindVisitor, `${reference}/${days}`] as const,
  ),
]

/**
 * Makes due what a booking needs in its state, and takes back what it does not need any more;
 * belongs into the transaction of the change.
 */
export function scheduleJobs(
  tx: Transaction,
  jobs: Pick<Jobs, 'schedule' | 'cancel'>,
  rules: BookingRules,
  booking: Booking,
  now: number,
): void {
  const { reference, state, heldUntil } = booking
  if (state === 'requested' && heldUntil !== null) {
    jobs.schedule(tx, kinds.expire, reference, heldUntil)
    jobs.schedule(tx, kinds.remindStaff, reference, now + rules.staffReminderHours * hourMs)
  } else {
    jobs.cancel(tx, kinds.expire, reference)
    jobs.cancel(tx, kinds.remindStaff, reference)
  }
  for (const days of rules.visitorReminderDays) {
    const key = `${reference}/${days}`
    const at = instantAt(addDays(booking.from, -days), '09:00')!
    if (state === 'confirmed' && at > now) jobs.schedule(tx, kinds.remindVisitor, key, at)
    else jobs.cancel(tx, kinds.remindVisitor, key)
  }
}
