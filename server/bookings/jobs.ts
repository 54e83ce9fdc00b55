import type { Platform } from '../feature.ts'
import { addDays, addMonths, dateAt } from '#shared/civil-dates.ts'
import type { JobDefinition } from '../jobs/job.ts'
import type { BookingActions } from './actions.ts'
import { snapshotOf } from './snapshot.ts'
import type { BookingDeps } from './requests.ts'
import { kinds } from './schedule.ts'

/** Months for which a booking is kept after its last day. */
export const keptMonths = 24

/** The kinds of jobs of bookings. Each looks again whether it is still wanted when it runs. */
export function bookingJobs(
  { commit, clock, mails, timeline }: Platform,
  { deps, actions }: { deps: BookingDeps; actions: Pick<BookingActions, 'expire'> },
): JobDefinition[] {
  const { bookings, days } = deps
  const remind = (kind: 'bookingReminder' | 'bookingUnansweredStaff', key: string) =>
    commit((tx) => {
      const booking = bookings.find(key.split('/', 1)[0]!)
      const wanted = kind === 'bookingReminder' ? 'confirmed' : 'requested'
      if (booking?.state !== wanted) return
      mails.enqueue(tx, kind, {
        key: `booking-${key}-${booking.sequence}`,
        data: snapshotOf(booking),
      })
    })
  return [
    {
      kind: kinds.expire,
      about: 'ends a booking request that nobody answered in time',
      run: ({ key }) => actions.expire(key),
    },
    {
      kind: kinds.remindStaff,
      about: 'reminds staff of a booking request without an answer',
      run: ({ key }) => remind('bookingUnansweredStaff', key),
    },
    {
      kind: kinds.remindVisitor,
      about: 'reminds a visitor of a confirmed booking',
      run: ({ key }) => remind('bookingReminder', key),
    },
    {
      kind: 'bookings.forget',
      about: `forgets bookings ${keptMonths} months after their last day, and the loads of past days`,
      recurs: { daily: '08:00' },
      run: () =>
        commit((tx) => {
          const today = dateAt(clock())
          const ended = bookings.endedBefore(addMonths(today, -keptMonths))
          const references = ended.map(({ reference }) => reference)
          bookings.remove(tx, ended)
          timeline.forget(tx, 'booking', references)
          const about = references.flatMap((reference) => mails.ofPrefix(`booking-${reference}-`))
          mails.remove(
            tx,
            about.map(({ id }) => id),
          )
          days.tidy(tx, addDays(today, -62))
        }),
    },
  ]
}
