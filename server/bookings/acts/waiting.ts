import { failure } from '#shared/failures.ts'
import type { Transaction } from '../../db/group-commit.ts'
import type { Platform } from '../../feature.ts'
import { known } from '../access.ts'
import type { Actor } from '../mails/notices.ts'
import type { Booking } from '../schema.ts'
import { hold, isPossible, type Changed } from './changes.ts'
import type { BookingDeps } from './checks.ts'
import type { BookingBilling, Doing } from './ending.ts'
import { limitReached, noun } from './shares.ts'

/** Acts on requests beyond a limit, which wait for the link in an email or for staff. */
export function waitingActs(
  platform: Platform,
  {
    deps,
    billing,
    follow,
  }: {
    deps: BookingDeps
    billing: Pick<BookingBilling, 'seller'>
    /** Does everything that follows from a change. */
    follow: (tx: Transaction, changed: Changed, actor: Actor, act: string, doing: Doing) => Booking
  },
) {
  const { commit, clock, outbox, shares } = platform
  const { bookings } = deps

  /**
   * The waiting request that a link confirms; `isOver` if it was confirmed already.
   * @throws missing, gone
   */
  const waitingOf = ({ thing, until }: { thing: string; until: number | null }) => {
    const booking = known(bookings.find(thing))
    const isOver = ['requested', 'offered', 'confirmed'].includes(booking.state)
    if (!isOver && (booking.state !== 'quarantined' || (until ?? 0) <= clock())) {
      throw failure('gone', {
        message: 'This link has expired. Please send us your request again.',
      })
    }
    return { booking, isOver }
  }

  return {
    /** The waiting request that a link confirms. @throws missing, gone */
    waiting: (token: string) => waitingOf(shares.ofLink(noun, token)),
    /**
     * Confirms a waiting request by the link in its email. Beyond the limits of its mailbox or network
     * it still waits for staff.
     * @returns the booking, and whether it holds its dates now
     * @throws missing, gone, `taken`
     */
    async useLink(token: string): Promise<{ booking: Booking; isHeld: boolean }> {
      const claim = shares.ofLink(noun, token)
      const { booking: now, isOver } = waitingOf(claim)
      if (isOver) return { booking: now, isHeld: true }
      const actor = { name: now.name, isVisitor: true, isByLink: true }
      const doing: Doing = { seller: await billing.seller(), because: 'us' }
      const held = await commit((tx) => {
        const found = known(bookings.find(now.reference))
        if (limitReached(deps, claim, found, { isProven: true, except: found })) {
          shares.claims.change(tx, claim, { parked: 'staff', provenAt: clock() })
          return null
        }
        shares.release(tx, claim, { isProven: true })
        // Only the mailbox that the email went to has this link.
        bookings.verify(tx, found)
        return follow(tx, hold(tx, deps, found), actor, 'confirmed the email address', doing)
      })
      outbox.wake()
      return { booking: held ?? now, isHeld: held !== null }
    },

    /**
     * Unanswered requests from the same mailbox or network as a given one, for clearing a flood. An offer
     * is an answer: a client of the same network who has one keeps it.
     * @throws missing
     */
    like: (reference: string, act: 'decline' | 'cancel'): Booking[] => {
      const { reference: found } = known(bookings.find(reference))
      return [...new Set([found, ...shares.like(noun, found)])].flatMap((each) => {
        const booking = bookings.find(each)
        const isUnanswered =
          booking &&
          booking.state !== 'confirmed' &&
          booking.state !== 'offered' &&
          isPossible(act, booking.state)
        return isUnanswered ? [booking] : []
      })
    },
  }
}
