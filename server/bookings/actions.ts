import type { DateRange } from '#shared/bookings.ts'
import { failure } from '#shared/failures.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Platform } from '../feature.ts'
import type { SignedTokens } from '../tokens.ts'
import { cancel, confirm, decline, expire, move, tooLate, type Changed } from './changes.ts'
import { scheduleJobs } from './schedule.ts'
import type { BookingLinks } from './links.ts'
import { createNotices, type Actor } from './notices.ts'
import { requestAction } from './request-action.ts'
import type { Booking } from './booking.ts'
import { bookingViews, type BookingViewDeps } from './views.ts'

/** What may be done with bookings, by visitors and staff. */
export type BookingActions = ReturnType<typeof bookingActions>

/** Makes the actions: each is one transaction with its mails, jobs and timeline entry. */
export function bookingActions(
  platform: Platform,
  parts: BookingViewDeps & { links: BookingLinks },
) {
  const { commit, clock, outbox, jobs, log } = platform
  const { deps, links } = parts
  const { bookings, days, rules } = deps
  const { tell, record } = createNotices(platform)

  /** Carries a change out, all or nothing, with the mails about it. */
  const change = async (
    reference: string,
    actor: Actor,
    act: string,
    work: (tx: Transaction, booking: Booking) => Changed,
  ): Promise<Booking> => {
    const changed = await commit((tx) => {
      const { before, after } = work(tx, known(bookings.find(reference)))
      record(tx, after, actor, act, before)
      tell(tx, after, actor, before)
      scheduleJobs(tx, jobs, rules(), after, clock())
      return after
    })
    outbox.wake()
    log.info({ booking: reference, act, state: changed.state }, 'booking changed')
    return changed
  }

  const mustBeInTime = (booking: Booking) => {
    const late = tooLate(booking, rules().cutOffDays, clock())
    if (late) throw failure('gone', { message: late })
  }

  const byToken = (tokens: SignedTokens<[number]>, token: string): Booking => {
    const read = tokens.read(token)
    return known(read && bookings.findId(read.payload[0]))
  }

  return {
    bookings,
    days,
    rules,
    visitorUrl: links.visitorUrl,
    staffUrl: links.staffUrl,
    ...bookingViews(parts),

    request: requestAction(platform, parts),

    /** The booking of a visitor's link. @throws missing for every other token */
    ofVisitor: (token: string): Booking => byToken(links.visitor, token),
    /** The booking of a link in staff's mail. @throws missing for every other token */
    ofStaff: (token: string): Booking => byToken(links.staff, token),

    /** @throws `taken`, clash, missing */
    confirm: (reference: string, actor: Actor, answer: string | null) =>
      change(reference, actor, 'confirmed', (tx, booking) => confirm(tx, deps, booking, answer)),
    /** @throws clash, missing */
    decline: (reference: string, actor: Actor, answer: string | null) =>
      change(reference, actor, 'declined', (tx, booking) => decline(tx, deps, booking, answer)),
    /** A visitor cancels in time; staff at any time. @throws gone, clash, missing */
    cancel: (reference: string, actor: Actor, answer: string | null = null) =>
      change(reference, actor, 'cancelled', (tx, booking) => {
        if (actor.isVisitor) mustBeInTime(booking)
        return cancel(tx, deps, booking, answer)
      }),
    /** A visitor moves in time; staff at any time. @throws gone, invalid, `taken`, clash */
    move: (reference: string, actor: Actor, range: DateRange) =>
      change(reference, actor, 'moved', (tx, booking) => {
        if (actor.isVisitor) mustBeInTime(booking)
        return move(tx, deps, booking, range)
      }),
    /** Ends a request whose time is over; one that was answered meanwhile stays. */
    async expire(reference: string): Promise<void> {
      const booking = bookings.find(reference)
      if (booking?.state !== 'requested' || (booking.heldUntil ?? 0) > clock()) return
      const actor = { name: 'system', isVisitor: false }
      await change(reference, actor, 'expired', (tx, found) => expire(tx, deps, found))
    },
  }
}

/** @throws missing when there is no such booking */
function known(booking: Booking | null): Booking {
  if (!booking) throw failure('missing', { message: 'There is no such booking.' })
  return booking
}
