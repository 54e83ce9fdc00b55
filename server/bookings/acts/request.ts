import type { BookingReply, BookingRequest } from '#shared/bookings.ts'
import { isByDates } from '#shared/sale-units.ts'
import type { Platform } from '../../feature.ts'
import { networkOf } from '../../http/connections/client-address.ts'
import { maskEmail } from '../../logging/log.ts'
import type { Booking } from '../schema.ts'
import type { BookingLinks } from '../signed-links.ts'
import { createNotices } from '../mails/notices.ts'
import { takeRequest } from './take-request.ts'
import { kinds, scheduleDoubtful, scheduleJobs } from './schedule.ts'
import { noun, waitOf } from './shares.ts'
import type { BookingViewDeps } from '../views.ts'

/**
 * Who sends a request: the client's address, the X-Form-Proof header if there is one, and whether it
 * comes in the session of a client who has the address in it.
 */
type Sender = { address: string; proof: string | null; isOwn: boolean }

/** What a request waits for that holds no dates, for who sent it. */
const waitingMessages = {
  link: 'One more step: open the link we’ve emailed you, and we’ll hold these dates for you.',
  staff: 'There are several open requests from you or your network, so we look at this one first.',
  check: 'We check by hand that a person sent this request.',
} as const

/** Makes what takes a visitor's request, with its emails and jobs; see {@link takeRequest} for what it throws. */
export function requestAction(
  platform: Platform,
  {
    deps,
    event: eventOf,
    service: serviceOf,
    links,
    money,
  }: BookingViewDeps & { links: BookingLinks },
) {
  const { commit, clock, outbox, jobs, formProofs, log, shares } = platform
  const { rules } = deps
  const { queueMails, askForLink, recordInTimeline } = createNotices(platform)

  const replyTo = (booking: Booking, repeat: boolean): BookingReply => ({
    success: true,
    reference: booking.reference,
    state: 'requested',
    heldUntil: booking.heldUntil === null ? null : new Date(booking.heldUntil).toISOString(),
    ...waitingMessage(booking),
    url: links.visitorUrl(booking),
    ...(repeat && { repeat }),
  })

  const waitingMessage = (booking: Booking): Pick<BookingReply, 'message'> => {
    const wait = waitOf(shares, booking)
    if (!wait) return {}
    const message = waitingMessages[wait.for]
    const holdsLater = isByDates(booking.unit) && wait.for !== 'link'
    return { message: holdsLater ? `${message} The dates aren’t held yet.` : message }
  }

  return async (
    request: BookingRequest,
    { address, proof, isOwn }: Sender,
  ): Promise<BookingReply> => {
    const network = networkOf(platform, address)
    const [event, service] = await Promise.all([
      request.event ? eventOf(request.event) : null,
      serviceOf(request.service),
    ])
    const { company = null, country = null, vatId = null } = request
    const { rate } = await money.vatFor({ company, country, vatId })
    const { booking, repeat } = await commit((tx) => {
      const read = formProofs.read(proof)
      const proven = read !== null && formProofs.use(tx, read)
      const sender = shares.sender({ email: request.email, address })
      const origin = {
        network,
        proven,
        service,
        rate,
        eventTitle: event?.title ?? null,
        eventZone: event?.zone ?? null,
        sender,
        isOwn,
      }
      const taken = takeRequest(tx, deps, request, origin)
      if (taken.repeat) return taken
      const actor = { name: taken.booking.name, isVisitor: true }
      recordInTimeline(tx, taken.booking, actor, 'requested', null)
      if (taken.booking.state === 'requested') {
        queueMails(tx, taken.booking, actor, null)
        scheduleJobs(tx, jobs, rules(), taken.booking, clock())
      }
      const wait = waitOf(shares, taken.booking)
      if (wait?.for === 'check') {
        scheduleDoubtful(tx, jobs, taken.booking.reference, { now: clock(), until: wait.until })
      }
      if (taken.reached) {
        const claim = shares.waiting(noun, taken.booking.reference)!
        askForLink(tx, taken.booking, claim)
        jobs.schedule(tx, kinds.expire, taken.booking.reference, claim.until)
        shares.reached(tx, noun, taken.reached.limit)
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
