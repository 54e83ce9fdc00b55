import { isByDates } from '#shared/bookings/sale-units.ts'
import * as z from 'zod'
import { hourMs } from '#shared/dates/durations.ts'
import { addDays, instantAt } from '#shared/dates/civil-dates.ts'
import type { Transaction } from '../../db/group-commit.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import { reminderBefore } from '../days/hold-end.ts'
import type { BookingRules } from '../days/rules.ts'
import type { Booking } from '../schema.ts'

/** The kinds of jobs of a booking. */
export const kinds = {
  expire: 'bookings.expire',
  remindStaff: 'bookings.remind-staff',
  remindVisitor: 'bookings.remind-visitor',
  remindCrew: 'bookings.remind-crew',
  remindOffer: 'bookings.remind-offer',
  tellDoubtful: 'bookings.tell-doubtful',
} as const

/** What a reminder is scheduled with; `from` is the first day that it is about. */
export const reminder = z.object({ reference: z.string(), from: z.optional(z.string()) })

/** The jobs that a booking may have, by kind and key. */
export const jobsOf = (rules: BookingRules, reference: string): (readonly [string, string])[] => [
  [kinds.expire, reference],
  [kinds.remindStaff, reference],
  [kinds.remindCrew, reference],
  [kinds.remindOffer, reference],
  ...rules.visitorReminderDays.map(
    (days) => [kinds.remindVisitor, `${reference}/${days}`] as const,
  ),
]

/** Makes due what becomes of a request that may be a robot's: staff hear of it as the hour ends. */
export function scheduleDoubtful(
  tx: Transaction,
  jobs: Pick<Jobs, 'schedule'>,
  reference: string,
  { now, until }: { now: number; until: number },
): void {
  const hourEnds = (Math.floor(now / hourMs) + 1) * hourMs
  jobs.schedule(tx, kinds.tellDoubtful, String(hourEnds), hourEnds)
  jobs.schedule(tx, kinds.expire, reference, until)
}

/**
 * Makes due what a booking needs in its state, and takes back what it does not need any more.
 * Call inside the transaction of the change.
 */
export function scheduleJobs(
  tx: Transaction,
  jobs: Pick<Jobs, 'schedule' | 'cancel'>,
  rules: BookingRules,
  booking: Booking,
  now: number,
): void {
  const { reference, state, heldUntil, offer, change } = booking
  const ends: Partial<Record<typeof state, number | null | undefined>> = {
    requested: heldUntil,
    offered: offer?.validUntil,
    confirmed: change?.heldUntil,
  }
  const endsAt = ends[state] ?? null
  if (endsAt !== null) jobs.schedule(tx, kinds.expire, reference, endsAt)
  else jobs.cancel(tx, kinds.expire, reference)
  if (state === 'requested' || change) {
    const remindAt = now + rules.staffReminderHours * hourMs
    jobs.schedule(tx, kinds.remindStaff, reference, remindAt, { reference })
  } else {
    jobs.cancel(tx, kinds.remindStaff, reference)
  }
  const { offerReminderHours: hours } = rules
  const isLong = offer !== null && offer.validUntil - offer.madeAt > hours * hourMs
  const remindAt = offer && isLong && hours > 0 ? reminderBefore(offer.validUntil, hours) : 0
  if (state === 'offered' && remindAt > now) {
    jobs.schedule(tx, kinds.remindOffer, reference, remindAt, { reference })
  } else jobs.cancel(tx, kinds.remindOffer, reference)
  const dayBefore = instantAt(addDays(booking.from, -1), '09:00')!
  if (state === 'confirmed' && isByDates(booking.unit) && dayBefore > now) {
    jobs.schedule(tx, kinds.remindCrew, reference, dayBefore)
  } else {
    jobs.cancel(tx, kinds.remindCrew, reference)
  }
  for (const days of rules.visitorReminderDays) {
    const key = `${reference}/${days}`
    const at = instantAt(addDays(booking.from, -days), '09:00')!
    if (state === 'confirmed' && isByDates(booking.unit) && at > now) {
      jobs.schedule(tx, kinds.remindVisitor, key, at, { reference, from: booking.from })
    } else jobs.cancel(tx, kinds.remindVisitor, key)
  }
}
