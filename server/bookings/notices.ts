import { dayMs } from '#shared/durations.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Platform } from '../feature.ts'
import type { Booking } from './booking.ts'
import type { BookingMail } from './mails.ts'
import { snapshotOf } from './snapshot.ts'

/** Who changes a booking: a name of staff, or the visitor. */
export type Actor = { name: string; isVisitor: boolean }

/** Sends and records what follows from a change of a booking. */
export type Notices = {
  /** Queues the mails of a booking as it is now; belongs into the transaction of the change. */
  tell(tx: Transaction, booking: Booking, actor: Actor, before: Booking | null): void
  /** Writes the change into the timeline; belongs into the same transaction. */
  record(tx: Transaction, booking: Booking, actor: Actor, act: string, before: Booking | null): void
}

/** Mails about bookings that one mailbox gets in a day. */
const requestMailsADay = 5

/** The mail to the visitor that goes with a state. */
const visitorMail: Partial<Record<Booking['state'], BookingMail>> = {
  requested: 'bookingRequested',
  confirmed: 'bookingConfirmed',
  declined: 'bookingDeclined',
  cancelled: 'bookingCancelled',
  expired: 'bookingExpired',
}

/** Makes the notices. */
export function createNotices({
  clock,
  mails,
  timeline,
}: Pick<Platform, 'clock' | 'mails' | 'timeline'>): Notices {
  const tell = (tx: Transaction, booking: Booking, actor: Actor, before: Booking | null) => {
    const data = snapshotOf(booking, actor.name)
    const key = `booking-${booking.reference}-${booking.sequence}`
    const toVisitor = visitorMail[booking.state]
    const mayMail =
      booking.state !== 'requested' ||
      mails.queuedTo(booking.email, 'bookingRequested', clock() - dayMs) < requestMailsADay
    // No mails about a quarantined booking before staff have looked at it.
    const heard = before?.state !== 'quarantined' || booking.state === 'confirmed'
    if (toVisitor && mayMail && heard) {
      mails.enqueue(tx, toVisitor, { key, data, recipient: booking.email })
    }
    if (booking.state === 'requested') mails.enqueue(tx, 'bookingRequestedStaff', { key, data })
    else if (heard) mails.enqueue(tx, 'bookingChangedStaff', { key, data })
  }

  const record = (
    tx: Transaction,
    booking: Booking,
    actor: Actor,
    act: string,
    before: Booking | null,
  ) =>
    timeline.record(tx, {
      thing: 'booking',
      thingId: booking.reference,
      actor: actor.isVisitor ? 'visitor' : actor.name,
      act,
      before: before?.state ?? null,
      after: booking.state,
      note:
        before && (before.from !== booking.from || before.to !== booking.to)
          ? `${before.from} to ${before.to} became ${booking.from} to ${booking.to}`
          : null,
    })

  return { tell, record }
}
