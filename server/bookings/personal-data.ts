import { helsinkiIso } from '#shared/helsinki-time.ts'
import type { Platform } from '../feature.ts'
import { eraseMails } from '../mail/erase.ts'
import type { PersonalData } from '../personal-data.ts'
import { keptMonths } from './jobs.ts'
import { jobsOf } from './schedule.ts'
import { release } from './occupation.ts'
import type { BookingRules } from './rules.ts'
import type { DayStore } from './day-store.ts'
import type { BookingStore } from './store.ts'

/** What bookings keep of people. */
export function bookingData(
  { config, mails, timeline, jobs }: Pick<Platform, 'config' | 'mails' | 'timeline' | 'jobs'>,
  { bookings, days, rules }: { bookings: BookingStore; days: DayStore; rules: () => BookingRules },
): PersonalData {
  return {
    name: 'bookings',
    policy: [
      {
        what: 'Booking',
        data: 'Name, e-mail address, phone number, company, place, dates, message, what became of the request, and a keyed hash of your network',
        ground: 'Steps before a contract and the contract itself (Art. 6(1)(b))',
        kept: `${keptMonths} months after the last day of the booking`,
      },
    ],
    forgottenBy: { job: 'bookings.forget' },
    find: (email) =>
      bookings
        .withEmail(email)
        .map(({ id: _id, requestedAt, changedAt, heldUntil, ...booking }) => ({
          ...booking,
          requestedAt: helsinkiIso(requestedAt),
          changedAt: helsinkiIso(changedAt),
          heldUntil: heldUntil === null ? null : helsinkiIso(heldUntil),
        })),
    erase(tx, email) {
      const found = bookings.withEmail(email)
      for (const booking of found) {
        release(tx, days, booking)
        for (const job of jobsOf(rules(), booking.reference)) jobs.cancel(tx, ...job)
      }
      const references = found.map(({ reference }) => reference)
      bookings.remove(tx, found)
      timeline.forget(tx, 'booking', references)
      const own = references.flatMap((reference) => mails.ofPrefix(`booking-${reference}-`))
      const { afterwards } = eraseMails(tx, own, { mails, dataDir: config.dataDir })
      return { erased: found.length, afterwards }
    },
  }
}
