import type { Platform } from '../feature.ts'
import { addDays, addMonths, dateAt, instantAt } from '#shared/civil-dates.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { JobDefinition } from '../jobs/job.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { BookingActions } from './actions.ts'
import { snapshotOf } from './mails.ts'
import type { Surroundings } from './requests.ts'
import type { BookingRules } from './rules.ts'
import type { Booking } from './store.ts'

const hour = 3_600_000

/** Months for which a booking is kept after its last day. */
export const keptMonths = 24

/** The jobs that a booking may have, by kind and key. */
export const jobsOf = (rules: BookingRules, reference: string): (readonly [string, string])[] => [
  [kinds.expire, reference],
  [kinds.remindStaff, reference],
  ...rules.visitorReminderDays.map(
    (days) => [kinds.remindVisitor, `${reference}/${days}`] as const,
  ),
]

const kinds = {
  expire: 'bookings.expire',
  remindStaff: 'bookings.remind-staff',
  remindVisitor: 'bookings.remind-visitor',
} as const

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
    jobs.schedule(tx, kinds.remindStaff, reference, now + rules.staffReminderHours * hour)
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

/** The kinds of jobs of bookings. Each looks again whether it is still wanted when it runs. */
export function bookingJobs(
  { commit, clock, mails, timeline }: Platform,
  {
    surroundings,
    actions,
  }: { surroundings: Surroundings; actions: Pick<BookingActions, 'expire'> },
): JobDefinition[] {
  const { bookings, days } = surroundings
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
