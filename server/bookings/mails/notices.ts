import { daysInWords } from '#shared/bookings/dates-in-words.ts'
import type { CancelReason } from '#shared/bookings/staff-page.ts'
import type { Transaction } from '../../db/group-commit.ts'
import type { Platform } from '../../feature.ts'
import { visitorByLink } from '../../timeline/timeline.ts'
import type { Claim } from '../../shares/schema.ts'
import type { Booking } from '../schema.ts'
import type { BookingMail } from './mails.ts'
import { type Occasion, snapshotOf, snapshotOfChange } from './snapshot.ts'

/** Who changes a booking: a name of staff, or the visitor. */
export type Actor = {
  name: string
  isVisitor: boolean
  /** Whether it was done by the link in an email; for the history. */
  isByLink?: boolean
  /** The sequence of the booking as shown; the change is refused if it's out of date. */
  seen?: number | undefined
}

/** Sends and records what follows from a change of a booking. */
export type Notices = {
  /**
   * Queues the emails about a change; call inside its transaction.
   * @param before null for a new booking
   * @param options `settled` what became of its money, in sentences; `because` whose wish a cancellation is; `visitorDueAt` when the visitor's
   *   email leaves, if not at once; `isQuiet` without it; `isUndone` for a decision that is taken back;
   *   `known` is the booking as the visitor knows it, where that isn't as it was before
   */
  queueMails(
    tx: Transaction,
    booking: Booking,
    actor: Actor,
    before: Booking | null,
    options?: {
      settled?: readonly string[]
      because?: CancelReason
      visitorDueAt?: number
      isQuiet?: boolean
      isUndone?: boolean
      known?: Booking | null
    },
  ): void
  /**
   * Queues the email whose link confirms a waiting request. If its mailbox has reached the daily limit,
   * the request waits for staff instead. Call inside the same transaction.
   */
  askForLink(tx: Transaction, booking: Booking, claim: Claim): void
  /** Records the change in the timeline. Call inside the same transaction. */
  recordInTimeline(
    tx: Transaction,
    booking: Booking,
    actor: Actor,
    act: string,
    before: Booking | null,
    note?: string | null,
  ): void
}

/** The email to the visitor that goes with what has happened. */
const visitorMail: Partial<Record<Occasion, BookingMail>> = {
  requested: 'bookingRequested',
  'request-moved': 'bookingRequested',
  moved: 'bookingMoved',
  edited: 'bookingEdited',
  offered: 'bookingOffered',
  confirmed: 'bookingConfirmed',
  'change-asked': 'bookingChangeAsked',
  'change-confirmed': 'bookingConfirmed',
  'change-declined': 'bookingChangeOver',
  'change-expired': 'bookingChangeOver',
  'change-withdrawn': 'bookingChangeOver',
  declined: 'bookingDeclined',
  cancelled: 'bookingCancelled',
  expired: 'bookingExpired',
}

/** What staff have to decide. */
const asksStaff: readonly Occasion[] = ['requested', 'request-moved', 'change-asked']

/** Makes the notices. */
export function createNotices({
  mails,
  timeline,
  shares,
}: Pick<Platform, 'mails' | 'timeline' | 'shares'>): Notices {
  const queueMails: Notices['queueMails'] = (
    tx,
    booking,
    actor,
    before,
    { settled = [], because, visitorDueAt, isQuiet = false, isUndone = false, known = null } = {},
  ) => {
    const change = snapshotOfChange(before, booking, { actor, settled, because })
    const data = isUndone ? { ...change, occasion: 'undone' as const } : change
    const { occasion } = data
    const told = known ? snapshotOfChange(known, booking, { actor, settled, because }) : data
    const key = `booking-${booking.reference}-${booking.sequence}`
    const about = { thing: 'booking', id: booking.reference }
    const toVisitor = told.occasion && visitorMail[told.occasion]
    const mayMail = !actor.isVisitor || !toVisitor || shares.mayMail(booking.email, toVisitor)
    // A quarantined booking causes no emails until staff or its link release it.
    const heard =
      before?.state !== 'quarantined' ||
      ['confirmed', 'offered', 'requested'].includes(booking.state)
    if (toVisitor && mayMail && heard && !isQuiet && booking.mails) {
      mails.enqueue(tx, toVisitor, {
        key,
        about,
        data: told,
        recipient: booking.email,
        ...(visitorDueAt !== undefined && { dueAt: visitorDueAt }),
      })
    }
    if (occasion && asksStaff.includes(occasion))
      mails.enqueue(tx, 'bookingRequestedStaff', { key, about, data, toStaff: true })
    else if (heard && occasion !== 'edited')
      mails.enqueue(tx, 'bookingChangedStaff', { key, about, data, toStaff: true })
  }

  const askForLink = (tx: Transaction, booking: Booking, claim: Claim) => {
    if (claim.parked !== 'link') return
    if (!shares.mayMail(booking.email, 'bookingWaiting')) {
      shares.claims.change(tx, claim, { parked: 'staff' })
      return
    }
    mails.enqueue(tx, 'bookingWaiting', {
      key: `booking-${booking.reference}-${booking.sequence}`,
      about: { thing: 'booking', id: booking.reference },
      data: snapshotOf(booking),
      recipient: booking.email,
    })
  }

  const recordInTimeline = (
    tx: Transaction,
    booking: Booking,
    actor: Actor,
    act: string,
    before: Booking | null,
    note: string | null = null,
  ) =>
    timeline.record(tx, {
      thing: 'booking',
      thingId: booking.reference,
      actor: actor.isVisitor ? (actor.isByLink ? visitorByLink : 'visitor') : actor.name,
      act,
      before: before?.state ?? null,
      after: booking.state,
      note: note ?? datesNote(before, booking),
    })

  return { queueMails, askForLink, recordInTimeline }
}

/** How a change affects the dates, for the history; null if it doesn't. */
function datesNote(before: Booking | null, booking: Booking): string | null {
  if (!before) return null
  const { from, to, unit, change } = booking
  const days = daysInWords(booking)
  if (before.from !== from || before.to !== to) return `${daysInWords(before)} became ${days}`
  if (change && change.askedAt !== before.change?.askedAt) {
    return `asks for ${daysInWords({ ...change, unit })} instead of ${days}`
  }
  return before.change && !change ? `stays: ${days}` : null
}
