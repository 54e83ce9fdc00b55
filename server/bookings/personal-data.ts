import { datesInWords } from '#shared/bookings/dates-in-words.ts'
import { dateAt } from '#shared/dates/civil-dates.ts'
import { helsinkiIso } from '#shared/dates/helsinki-time.ts'
import type { Platform } from '../feature.ts'
import { eraseMails } from '../mail/erase.ts'
import type { PersonalData } from '../contributions/personal-data.ts'
import { keptMonths } from './acts/jobs.ts'
import { jobsOf } from './acts/schedule.ts'
import { parkedDays } from './acts/shares.ts'
import { release } from './days/occupation.ts'
import type { BookingRules } from './days/rules.ts'
import type { DayStore } from './store/day-store.ts'
import type { BookingStore } from './store/store.ts'

/** What bookings keep of people. */
export function bookingData(
  {
    config,
    clock,
    mails,
    timeline,
    jobs,
  }: Pick<Platform, 'config' | 'clock' | 'mails' | 'timeline' | 'jobs'>,
  { bookings, days, rules }: { bookings: BookingStore; days: DayStore; rules: () => BookingRules },
): PersonalData {
  return {
    name: 'bookings',
    policy: [
      {
        what: 'Booking',
        data: 'Name, email address, phone number, company, VAT ID and what VIES said of it, billing address, place, dates, scope, budget, message, what was offered and agreed, case history, and a keyed hash of your network',
        ground: 'Steps before a contract and the contract itself (Art. 6(1)(b))',
        kept: `${keptMonths} months after the last day of the booking; requests that never held dates ${parkedDays} days`,
      },
    ],
    forgottenBy: { job: 'bookings.forget' },
    addresses: bookings.addresses,
    find: (email) => [
      ...bookings
        .withEmail(email)
        .map(({ id: _id, requestedAt, changedAt, heldUntil, verifiedAt, ...booking }) => ({
          ...booking,
          requestedAt: helsinkiIso(requestedAt),
          changedAt: helsinkiIso(changedAt),
          heldUntil: heldUntil === null ? null : helsinkiIso(heldUntil),
          verifiedAt: verifiedAt === null ? null : helsinkiIso(verifiedAt),
        })),
      ...days
        .blocksMentioning(email)
        .map(({ from, to, reason }) => ({ blocked: { from, to, reason } })),
    ],
    erase(tx, email) {
      const found = bookings.withEmail(email)
      const today = dateAt(clock())
      const coming = found.filter(
        ({ state, to }) => to >= today && ['requested', 'offered', 'confirmed'].includes(state),
      )
      for (const booking of coming) bookings.noteErased(tx, booking)
      for (const booking of found) {
        release(tx, days, booking)
        for (const job of jobsOf(rules(), booking.reference)) jobs.cancel(tx, ...job)
      }
      const references = found.map(({ reference }) => reference)
      bookings.remove(tx, found)
      timeline.forget(tx, 'booking', references)
      const own = references.flatMap((reference) => mails.of('booking', reference))
      const { afterwards } = eraseMails(tx, own, { mails, dataDir: config.dataDir })
      return {
        erased: found.length + days.redactBlocks(tx, email),
        named: coming.map(
          (booking) =>
            `Upcoming booking ${booking.reference}: ${booking.service}, ${datesInWords(booking)}, ${booking.state}. Its dates are released, and it disappears from the staff calendar.`,
        ),
        afterwards,
      }
    },
  }
}
