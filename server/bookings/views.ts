import type {
  BookableService,
  BookingForm,
  BookingView,
  StaffBookingView,
} from '#shared/bookings.ts'
import { bounds } from './availability.ts'
import { isPossible, tooLate } from './changes.ts'
import { conflictsOf } from './conflicts.ts'
import type { BookingDeps } from './requests.ts'
import { bookingFacts, type Booking } from './booking.ts'

/** An event of the calendar that the form may be opened for. */
export type BookableEvent = NonNullable<BookingForm['event']>

/** What the views are made from. */
export type BookingViewDeps = {
  deps: BookingDeps
  event: (id: string) => Promise<BookableEvent | null>
  services: () => Promise<readonly BookableService[]>
  serviceTitle: (slug: string) => Promise<string>
}

/** What pages show of bookings, and of what can be booked. */
export function bookingViews({ deps, event, services, serviceTitle }: BookingViewDeps) {
  const { rules, clock } = deps

  const visitorActs = (booking: Booking): BookingView['acts'] => {
    const late = tooLate(booking, rules().cutOffDays, clock())
    const open = isPossible('cancel', booking.state) && booking.state !== 'quarantined'
    return {
      cancel: open && late === null,
      move: open && late === null && isPossible('move', booking.state),
      reason: open ? late : null,
    }
  }

  const view = async (booking: Booking): Promise<BookingView> => ({
    reference: booking.reference,
    // The visitor is not told that the request was quarantined.
    state: booking.state === 'quarantined' ? 'requested' : booking.state,
    service: { slug: booking.service, title: await serviceTitle(booking.service) },
    ...bookingFacts(booking),
    heldUntil: booking.heldUntil === null ? null : new Date(booking.heldUntil).toISOString(),
    requestedAt: new Date(booking.requestedAt).toISOString(),
    acts: visitorActs(booking),
  })

  return {
    /** What the form is made from; `event` is the one it was opened for. */
    async form(eventId: string | undefined): Promise<BookingForm> {
      const inForce = rules()
      const [offered, opened] = await Promise.all([services(), eventId ? event(eventId) : null])
      return {
        services: offered.filter(({ slug }) => inForce.services[slug]),
        ...bounds(inForce, clock()),
        holdHours: inForce.holdHours,
        cutOffDays: inForce.cutOffDays,
        noticeHours: inForce.noticeHours,
        event: opened,
      }
    },

    /** A booking as its visitor sees it. */
    view,

    /** A booking as staff see it. */
    async staffView(booking: Booking): Promise<StaffBookingView> {
      const conflicts = conflictsOf(deps, booking)
      const open = isPossible('confirm', booking.state) || isPossible('decline', booking.state)
      return { ...(await view(booking)), state: booking.state, conflicts, open }
    },

    /** What collides with a booking if it is confirmed now, in a line each. */
    conflicts: (booking: Booking) => conflictsOf(deps, booking),
  }
}
