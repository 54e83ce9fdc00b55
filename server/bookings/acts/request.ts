import { hash } from 'node:crypto'
import { ratedAt, serviceLines } from '#shared/bookings/price.ts'
import { waitingMessages } from '#shared/bookings/page-texts.ts'
import {
  missingFields,
  type BookableService,
  type BookingReply,
  type BookingRequest,
} from '#shared/bookings/bookings.ts'
import { officeZone } from '#shared/dates/civil-dates.ts'
import { minuteMs } from '#shared/dates/durations.ts'
import { failure } from '#shared/failures.ts'
import { isByDates } from '#shared/bookings/sale-units.ts'
import type { Transaction } from '../../db/group-commit.ts'
import type { Platform } from '../../feature.ts'
import { networkOf } from '../../http/connections/client-address.ts'
import { newReference } from '../../secrets/ids.ts'
import { maskEmail } from '../../logging/log.ts'
import type { Sender } from '../../shares/claims.ts'
import type { Reached } from '../../shares/shares.ts'
import type { BookingLinks } from '../access.ts'
import { holdEnd } from '../days/hold-end.ts'
import { occupy } from '../days/occupation.ts'
import { createNotices } from '../mails/notices.ts'
import type { Booking, NewBooking } from '../schema.ts'
import type { BookingStore } from '../store/store.ts'
import type { BookingViewDeps } from '../views.ts'
import {
  checkCountry,
  checkDates,
  checkPlaces,
  fieldProblem,
  timesOf,
  type BookingDeps,
} from './checks.ts'
import { kinds, scheduleDoubtful, scheduleJobs } from './schedule.ts'
import { daysOf, limitReached, noun, waitOf } from './shares.ts'

/**
 * Who sends a request: the client's address, the X-Form-Proof header if there is one, and whether it
 * comes in the session of a client who has the address in it.
 */
type Visitor = { address: string; proof: string | null; isOwn: boolean }

/**
 * Creates the act that takes a visitor's request, with its emails and jobs; see {@link takeRequest} for
 * what it throws.
 */
export function requestAction(
  platform: Platform,
  {
    deps,
    event: eventOf,
    service: serviceOf,
    links,
    billing,
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
    { address, proof, isOwn }: Visitor,
  ): Promise<BookingReply> => {
    const network = networkOf(platform, address)
    const [event, service] = await Promise.all([
      request.event ? eventOf(request.event) : null,
      serviceOf(request.service),
    ])
    const { company = null, country = null, vatId = null } = request
    const { rate, vatCheck } = await billing.vatFor(
      { company, country, vatId },
      { isEntered: true },
    )
    const { booking, repeat } = await commit((tx) => {
      const read = formProofs.read(proof)
      const proven = read !== null && formProofs.use(tx, read)
      const sender = shares.sender({ email: request.email, address })
      const origin = {
        network,
        proven,
        service,
        rate,
        vatCheck,
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

/** How many requests are taken as they come, before further ones are kept in quarantine. */
const unprovenPerHour = 3
/** How many one network may make in ten minutes, whatever they carry. */
const madeInTenMinutes = 120

/** Where a request came from. */
type Origin = {
  /** Keyed hash of the sender's network. */
  network: string
  /** Whether it carried a form proof of ours that had not been used. */
  proven: boolean
  /** The service that it asks for, as it is offered now. */
  service: BookableService
  /** The rate of VAT for who asks, in per cent. */
  rate: number
  /** What VIES said of its VAT ID. */
  vatCheck: Booking['vatCheck']
  /** The title of the event that it names; null where that can’t be booked. */
  eventTitle: string | null
  /** The zone of that event, where times may be typed by its clock. */
  eventZone: string | null
  /** Whether it was made in the session of a client who has the address. */
  isOwn: boolean
  sender: Sender
}

/** What became of a request; `reached` is the limit that it waits for. */
type Taken = { booking: Booking; repeat: boolean; reached: Reached | null }

/**
 * Takes a request: checks it against the rules and the days that are left, and keeps it together
 * with the days it holds. All of it happens in the one transaction that writes, so of two requests
 * for the last place one is told so.
 * @throws invalid by field; `taken` with the nearest free dates; `key` when the key stands for
 *   another request; too-many
 */
function takeRequest(
  tx: Transaction,
  deps: BookingDeps,
  request: BookingRequest,
  { network, proven, service, rate, vatCheck, eventTitle, eventZone, sender, isOwn }: Origin,
): Taken {
  const { rules, bookings, clock, shares } = deps
  const contentHash = hashOf(request)
  const known = bookings.ofKey(request.key)
  if (known) {
    if (known.contentHash !== contentHash) throw failure('key')
    return { booking: bookings.find(known.reference)!, repeat: true, reached: null }
  }
  const now = clock()
  if (bookings.madeBy(network, { now, ms: 10 * minuteMs }) >= madeInTenMinutes) {
    throw failure('too-many', { retryAfter: 600 })
  }
  const inForce = rules()
  if (!inForce.services[service.slug]) throw fieldProblem('service', 'Unknown service')
  const { unit } = service
  const missing = missingFields(unit, request)
  if (Object.keys(missing).length > 0) throw failure('invalid', { errors: missing })
  const holdsDays = isByDates(unit)
  const { from } = request
  const days = { from, to: (holdsDays && request.to) || from }
  const asked = { service: service.slug, unit, ...days }
  checkDates(inForce, days, now)
  checkCountry(request)
  if (request.zone && request.zone !== officeZone && request.zone !== eventZone) {
    throw fieldProblem('zone', 'Times are in Helsinki time or the event’s time zone')
  }
  const times = holdsDays ? timesOf(request, days) : { start: null, end: null }
  if (request.event && eventTitle === null) {
    throw fieldProblem(
      'event',
      'This event can’t be booked any more. You can book your dates without it',
    )
  }
  const doubtful =
    Boolean(request.website) ||
    (!proven && bookings.unprovenOf(network, { now, ms: 60 * minuteMs }) >= unprovenPerHour)
  if (!doubtful && holdsDays) checkPlaces(deps, asked)
  const reached = doubtful ? null : limitReached(deps, sender, asked)
  const parked = doubtful ? 'doubtful' : (reached?.parked ?? null)
  const bytes = parked ? Buffer.byteLength(JSON.stringify(request)) : 0
  if (parked) shares.checkRoom(noun, sender, bytes)
  const booking = keep(tx, bookings, {
    reference: '',
    key: request.key,
    contentHash,
    state: parked ? 'quarantined' : 'requested',
    ...asked,
    travelDays: (holdsDays && inForce.services[service.slug]?.travelDays) || 0,
    ...times,
    place: request.place ?? '',
    scope: request.scope ?? null,
    budget: request.budget ?? null,
    eventId: request.event ?? null,
    eventTitle,
    name: request.name,
    email: request.email,
    phone: request.phone ?? null,
    company: request.company ?? null,
    country: request.country ?? null,
    vatId: request.vatId ?? null,
    vatCheck,
    street: null,
    postcode: null,
    city: null,
    region: null,
    message: request.message ?? null,
    lines: ratedAt(serviceLines(service, days), rate),
    termsVersion: deps.terms.keep(tx),
    conditions: { cancellation: inForce.cancellation, deposit: inForce.deposit },
    requestedAt: now,
    heldUntil: parked || !holdsDays ? null : holdEnd(now, inForce.holdHours, from),
    network,
    proven,
    verifiedAt: isOwn ? now : null,
  })
  if (!parked) occupy(tx, deps.days, booking)
  shares.claim(tx, noun, booking.reference, sender, { units: daysOf(asked), bytes, parked })
  return { booking, repeat: false, reached }
}

/** Draws references until one is free. */
function keep(tx: Transaction, bookings: BookingStore, booking: NewBooking): Booking {
  for (;;) {
    const reference = newReference('B')
    const kept = bookings.insert(tx, { ...booking, reference })
    if (kept) return kept
  }
}

/** What makes a repeated call the same request: all that the visitor entered. */
function hashOf({ key: _key, website: _website, ...request }: BookingRequest): string {
  const entries = Object.entries(request).filter(([, value]) => value !== undefined)
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1))
  return hash('sha256', JSON.stringify(sorted), 'base64url')
}
