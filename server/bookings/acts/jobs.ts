import type { Platform } from '../../feature.ts'
import { addDays, addMonths, dateAt } from '#shared/dates/civil-dates.ts'
import { stageOf } from './changes.ts'
import { dayMs } from '#shared/dates/durations.ts'
import { inBatches } from '../../db/in-batches.ts'
import type { JobDefinition, JobRun } from '../../jobs/job.ts'
import type { BookingActions } from './acts.ts'
import type { DoubtfulHour } from '../mails/doubtful.ts'
import type { Booking } from '../schema.ts'
import { snapshotOf } from '../mails/snapshot.ts'
import type { BookingDeps } from './checks.ts'
import { kinds, reminder } from './schedule.ts'
import { parkedDays } from './shares.ts'

/** Months for which a booking is kept after its last day. */
export const keptMonths = 24

/** The kinds of jobs of bookings. Each checks whether it's still needed when it runs. */
export function bookingJobs(
  { commit, clock, mails, timeline }: Platform,
  { deps, actions }: { deps: BookingDeps; actions: Pick<BookingActions, 'expire'> },
): JobDefinition[] {
  const { bookings, days, crew } = deps
  const isUnderWay = (booking: Booking) => stageOf(booking, clock()) !== 'ahead'
  const remind = (kind: 'bookingReminder' | 'bookingUnansweredStaff', { key, data }: JobRun) =>
    commit((tx) => {
      const { reference, from } = reminder.parse(data)
      const booking = bookings.find(reference)
      if (!booking) return
      const { state, change } = booking
      const isWanted =
        kind === 'bookingReminder'
          ? state === 'confirmed' && booking.mails && (from ?? booking.from) === booking.from
          : state === 'requested' || change !== null
      // After downtime it's too late to remind of days that have begun.
      if (!isWanted || (kind === 'bookingReminder' && isUnderWay(booking))) return
      mails.enqueue(tx, kind, {
        key: `booking-${key}-${booking.sequence}`,
        about: { thing: 'booking', id: booking.reference },
        data: snapshotOf(booking),
        toStaff: kind === 'bookingUnansweredStaff',
      })
    })
  /** The reminder of an offer that ends soon, once per offer. */
  const remindOfOffer = ({ data }: JobRun) =>
    commit((tx) => {
      const booking = bookings.find(reminder.parse(data).reference)
      const { offer } = booking ?? {}
      if (booking?.state !== 'offered' || !offer || !booking.mails) return
      if (clock() >= offer.validUntil) return
      mails.enqueue(tx, 'bookingOfferEnds', {
        key: `booking-${booking.reference}-offer-${offer.madeAt}`,
        about: { thing: 'booking', id: booking.reference },
        data: snapshotOf(booking),
        recipient: booking.email,
      })
    })
  return [
    {
      kind: kinds.expire,
      about: 'ends a booking request not answered in time',
      run: ({ key }) => actions.expire(key),
    },
    {
      kind: kinds.remindStaff,
      about: 'reminds staff of an unanswered booking request',
      run: (job) => remind('bookingUnansweredStaff', job),
    },
    {
      kind: kinds.remindVisitor,
      about: 'reminds a client of a confirmed booking',
      run: (job) => remind('bookingReminder', job),
    },
    {
      kind: kinds.remindOffer,
      about: 'reminds a visitor of an offer that ends soon',
      run: remindOfOffer,
    },
    {
      kind: kinds.remindCrew,
      about: 'reminds the crew the day before a booking',
      run: ({ key: reference }) =>
        commit((tx) => {
          const booking = bookings.find(reference)
          if (booking?.state !== 'confirmed' || isUnderWay(booking)) return
          for (const person of crew.of(booking)) {
            mails.enqueue(tx, 'bookingCrew', {
              key: `booking-${reference}-crew-${person}-${booking.from}`,
              about: { thing: 'booking', id: reference },
              data: { reference, person, occasion: 'reminder' },
            })
          }
        }),
    },
    {
      kind: kinds.tellDoubtful,
      about: 'tells staff about suspicious booking requests, at most once an hour',
      run: ({ key }) =>
        commit((tx) => {
          mails.enqueue(tx, 'bookingDoubtfulStaff', {
            key: `bookings-doubtful-${key}`,
            data: { before: Number(key) } satisfies DoubtfulHour,
          })
        }),
    },
    {
      kind: 'bookings.forget',
      about: `deletes bookings ${keptMonths} months after their last day, and counts of past days`,
      recurs: { daily: '03:30' },
      async run() {
        const today = dateAt(clock())
        await inBatches(commit, (tx) => {
          const ended = [
            ...bookings.endedBefore(addMonths(today, -keptMonths)),
            ...bookings.parkedBefore(clock() - parkedDays * dayMs),
          ]
          const references = ended.map(({ reference }) => reference)
          bookings.remove(tx, ended)
          timeline.forget(tx, 'booking', references)
          const about = references.flatMap((reference) => mails.of('booking', reference))
          mails.remove(
            tx,
            about.map(({ id }) => id),
          )
          return ended.length
        })
        await inBatches(commit, (tx) => days.tidy(tx, addDays(today, -62)))
        await commit((tx) => bookings.forgetErased(tx, addDays(today, -62)))
      },
    },
  ]
}
