import type { BookingReply, BookingRequest } from '#shared/bookings.ts'
import type { Platform } from '../feature.ts'
import { networkOf } from '../http/network-of.ts'
import { maskEmail } from '../log/log.ts'
import type { Booking } from './booking.ts'
import type { BookingLinks } from './links.ts'
import { createNotices } from './notices.ts'
import { takeRequest } from './requests.ts'
import { scheduleJobs } from './schedule.ts'
import type { BookingViewDeps } from './views.ts'

/** Who sends a request: the client's address, and the X-Form-Proof header if there is one. */
type Sender = { address: string; proof: string | null }

/** Makes what takes a visitor's request, with its mails and jobs; see {@link takeRequest} for what it throws. */
export function requestAction(
  platform: Platform,
  { deps, event: eventOf, links }: BookingViewDeps & { links: BookingLinks },
) {
  const { commit, clock, outbox, jobs, formProofs, log } = platform
  const { rules } = deps
  const { tell, record } = createNotices(platform)

  const replyTo = (booking: Booking, repeat: boolean): BookingReply => ({
    success: true,
    reference: booking.reference,
    state: 'requested',
    heldUntil: new Date(booking.heldUntil ?? booking.requestedAt).toISOString(),
    url: links.visitorUrl(booking),
    ...(repeat && { repeat }),
  })

  return async (request: BookingRequest, { address, proof }: Sender): Promise<BookingReply> => {
    const network = networkOf(platform, address)
    const event = request.event ? await eventOf(request.event) : null
    const { booking, repeat } = await commit((tx) => {
      const read = formProofs.read(proof)
      const proven = read !== null && formProofs.use(tx, read)
      const origin = { network, proven, eventTitle: event?.title ?? null }
      const taken = takeRequest(tx, deps, request, origin)
      if (taken.repeat) return taken
      const actor = { name: taken.booking.name, isVisitor: true }
      record(tx, taken.booking, actor, 'requested', null)
      if (taken.booking.state === 'requested') {
        tell(tx, taken.booking, actor, null)
        scheduleJobs(tx, jobs, rules(), taken.booking, clock())
      }
      return taken
    })
    if (!repeat) {
      outbox.wake()
      const { reference, state, email } = booking
      log.info({ booking: reference, state, email: maskEmail(email) }, 'booking requested')
    }
    return replyTo(booking, repeat)
  }
}
