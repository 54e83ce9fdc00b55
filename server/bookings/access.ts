import { hash } from 'node:crypto'
import * as z from 'zod'
import { addDays, dayStart } from '#shared/dates/civil-dates.ts'
import { dayMs } from '#shared/dates/durations.ts'
import { failure } from '#shared/failures.ts'
import { linkedPaths } from '#shared/linked-paths.ts'
import { paths } from '#shared/paths.ts'
import type { ClientFeature } from '../clients/feature.ts'
import type { Platform } from '../feature.ts'
import { mailboxOf } from '../mail/recipient.ts'
import type { RequestContext } from '../http/request-context.ts'
import { isReference } from '../secrets/ids.ts'
import { createSignedTokens } from '../secrets/tokens.ts'
import type { Booking } from './schema.ts'
import type { BookingStore } from './store/store.ts'

/** The links that open a booking, each signed for its own purpose. */
export type BookingLinks = ReturnType<typeof createBookingLinks>

/** The secret of a booking, or the row number that links of earlier versions were signed over. */
const schema = z.tuple([z.union([z.string(), z.int()])])

/** With the mailbox that a visitor's link was made for; those of earlier versions are for any. */
const visitorSchema = z.union([schema, z.tuple([z.string(), z.string()])])

/** A mailbox as a link of a booking names it. */
const markOf = (secret: string, { email }: Pick<Booking, 'email'>): string =>
  hash('sha256', `${secret}\0${mailboxOf(email)}`, 'base64url').slice(0, 22)

/** Makes the links. */
export function createBookingLinks(
  { keys, clock, config }: Pick<Platform, 'keys' | 'clock' | 'config'>,
  bookings: Pick<BookingStore, 'secretOf'>,
) {
  const visitor = createSignedTokens({ keys, clock, purpose: 'booking', schema: visitorSchema })
  const staff = createSignedTokens({ keys, clock, purpose: 'booking-staff', schema })
  const sheet = createSignedTokens({ keys, clock, purpose: 'booking-sheet', schema })
  const sheetOf = createSignedTokens({
    keys,
    clock,
    purpose: 'booking-sheet-of',
    schema: z.tuple([z.string(), z.string()]),
  })
  return {
    visitor,
    staff,
    sheet,
    sheetOf,
    /**
     * The call sheet of a booking, absolute.
     * @param person the crew member whose link it is (it opens only while they're assigned); omitted
     *   for staff
     */
    sheetUrl(booking: Booking, person?: string) {
      const secret = bookings.secretOf(booking)
      const token =
        person === undefined ? sheet.issue([secret], null) : sheetOf.issue([secret, person], null)
      return config.siteUrl + linkedPaths.bookingSheet(token)
    },
    /** The page of a booking for its visitor, absolute. */
    visitorUrl(booking: Booking) {
      const secret = bookings.secretOf(booking)
      const token = visitor.issue([secret, markOf(secret, booking)], null)
      return config.siteUrl + paths.bookingPage(token)
    },
    /** The page of a booking for staff, absolute. */
    staffUrl: (booking: Booking) =>
      config.siteUrl + paths.bookingStaff(staff.issue([bookings.secretOf(booking)], null)),
  }
}

/** Days for which a link in staff's email works once its booking is settled. */
const staffLinkDays = 30

/** Decides who can open which booking. Pages, calendar files and acts all ask here. */
export type BookingAccess = ReturnType<typeof createBookingAccess>

/**
 * Whether a client's code opens one of the client's bookings, with all the rights of its visitor. The
 * panel lists other bookings without a link. Unverified bookings, which anyone could have sent, never
 * open this way.
 */
export const opensInPanel = (
  { verifiedAt }: Pick<Booking, 'verifiedAt'>,
  scopes: ReadonlySet<string>,
): boolean => verifiedAt !== null && scopes.has('view') && scopes.has('manage')

/** Creates the access check for bookings. */
export function createBookingAccess(
  { clock }: Pick<Platform, 'clock'>,
  {
    bookings,
    links,
    clientIn,
    isOnCrew,
  }: {
    bookings: Pick<BookingStore, 'find' | 'findSecret'>
    links: BookingLinks
    clientIn: ClientFeature['clientIn']
    /** Whether a crew member is assigned to a booking. */
    isOnCrew: (booking: Booking, person: string) => boolean
  },
) {
  const byToken = (secret: string | number | undefined): Booking => {
    if (typeof secret === 'number') {
      throw failure('gone', {
        message: 'This link is from an older version of our site. Please ask us for a new one.',
      })
    }
    return known(secret === undefined ? null : bookings.findSecret(secret))
  }

  /** @throws gone once staff have entered another mailbox: the first may be someone else's */
  const byVisitorToken = (token: string): Booking => {
    const [secret, mark] = links.visitor.read(token)?.payload ?? []
    const booking = byToken(secret)
    if (typeof mark === 'string' && mark !== markOf(String(secret), booking)) {
      throw failure('gone', {
        message:
          'This booking has another email address now, so this link has expired. Please ask us for a new one.',
      })
    }
    return booking
  }

  /** A client's own booking by its reference, in the session of a code that may act for the client. */
  const inSession = (reference: string, requestContext: RequestContext): Booking => {
    const client = clientIn(requestContext)
    const booking = client && bookings.find(reference)
    if (!booking || booking.verifiedAt === null || !client.owns(booking.email)) throw missing()
    if (!opensInPanel(booking, client.scopes)) {
      throw failure('forbidden', { message: client.refusal })
    }
    return booking
  }

  return {
    /**
     * The booking that the last part of an address opens: the token of the visitor's link, or a
     * reference in the session of its client.
     * @throws missing for every other text; forbidden for a code without the scope; gone for a link
     *   of an earlier version, or to an earlier mailbox
     */
    ofVisitor: (token: string, requestContext: RequestContext): Booking =>
      isReference(token) ? inSession(token, requestContext) : byVisitorToken(token),

    /**
     * The booking of a call sheet, until a month after its last day; a crew member's link works while
     * they're assigned.
     * @throws missing for every other token; gone once it has ended
     */
    ofSheet(token: string): Booking {
      const [secret, person] = links.sheetOf.read(token)?.payload ?? []
      const booking =
        secret === undefined
          ? byToken(links.sheet.read(token)?.payload[0])
          : known(bookings.findSecret(secret))
      if (person !== undefined && !isOnCrew(booking, person)) {
        throw failure('gone', { message: 'You’re no longer on this booking.' })
      }
      if (clock() >= dayStart(booking.to) + staffLinkDays * dayMs) {
        throw failure('gone', {
          message: `This call sheet expired ${staffLinkDays} days after the job.`,
        })
      }
      return booking
    },

    /** Whether a text is the token of a link in staff's email, even one that has ended. */
    isOfStaff(token: string): boolean {
      const [secret] = links.staff.read(token)?.payload ?? []
      return typeof secret === 'string'
        ? bookings.findSecret(secret) !== null
        : secret !== undefined
    },

    /**
     * The booking of a link in staff's email.
     * @throws missing for every other token; gone once the booking has been settled for 30 days
     */
    ofStaff(token: string): Booking {
      const booking = byToken(links.staff.read(token)?.payload[0])
      if (clock() >= settledAt(booking) + staffLinkDays * dayMs) {
        throw failure('gone', {
          message: `Booking ${booking.reference} was settled more than ${staffLinkDays} days ago, so this link has expired. Staff can open it at the desk. On the command line: pitlane bookings show ${booking.reference}`,
        })
      }
      return booking
    },
  }
}

/**
 * When a booking is settled, in milliseconds: open requests never, confirmed bookings after their last
 * day.
 */
const settledAt = ({ state, to, changedAt }: Booking): number => {
  if (state === 'requested' || state === 'offered' || state === 'quarantined') return Infinity
  return state === 'confirmed' ? Math.max(changedAt, dayStart(addDays(to, 1))) : changedAt
}

const missing = () => failure('missing', { message: 'Booking not found.' })

/** @throws missing when there is no such booking */
export function known(booking: Booking | null): Booking {
  if (!booking) throw missing()
  return booking
}
