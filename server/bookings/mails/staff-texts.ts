import { isByDates } from '#shared/bookings/sale-units.ts'
import { dateRange } from '#shared/dates/date-format.ts'
import { officeTime } from '#shared/dates/helsinki-time.ts'
import { paragraphs, type MailContent } from '../../mail/layout.ts'
import type { Snapshot } from './snapshot.ts'
import { askedPrice, type About } from './visitor-texts.ts'

/** To staff: a new request, or a date change. */
export const requestedStaff = ({ snapshot, service, dates, booking }: About): MailContent => {
  const byDates = isByDates(booking.unit)
  const { change } = snapshot
  if (change) {
    const asked = dateRange(change.from, change.to)
    return {
      subject: `Date change for booking ${snapshot.reference}: ${service}, ${asked}`,
      preheader: [booking.company ?? booking.name, booking.place].filter(Boolean).join(', '),
      headline: 'Date change requested',
      body: paragraphs(`${asked} instead of ${dates}. Both are held until you answer.`),
      next: [
        ...askedPrice({ booking, snapshot }, 'The new dates cost'),
        `Confirm or decline by ${officeTime(change.heldUntil)}; after that the booking keeps its old dates and the new ones are released.`,
      ],
    }
  }
  return {
    subject: byDates
      ? `Booking request ${snapshot.reference}: ${service}, ${dates}`
      : `Request ${snapshot.reference}: ${service}`,
    preheader: [booking.company ?? booking.name, booking.place].filter(Boolean).join(', '),
    headline:
      snapshot.occasion === 'request-moved'
        ? 'Date change requested'
        : byDates
          ? 'New booking request'
          : 'New request',
    next: [
      snapshot.heldUntil === null
        ? 'Make an offer, confirm or decline. No dates are held.'
        : `Confirm, make an offer or decline by ${officeTime(snapshot.heldUntil)}; after that the request expires and the dates are released.`,
    ],
  }
}

/** What has happened, for staff who read only the headline. */
const staffHeadlines: Partial<Record<NonNullable<Snapshot['occasion']>, string>> = {
  moved: 'Booking moved',
  undone: 'Decision undone',
  'change-confirmed': 'New dates confirmed',
  'change-declined': 'New dates declined; old ones kept',
  'change-expired': 'New dates not answered in time; old ones kept',
  'change-withdrawn': 'Date change withdrawn',
}

/** To staff: a booking has changed. */
export const changedStaff = ({ snapshot, service, dates, booking }: About): MailContent => {
  const isUnanswered = snapshot.before === 'offered' && snapshot.state === 'expired'
  const what =
    snapshot.before === 'offered' && snapshot.isVisitor && snapshot.state === 'confirmed'
      ? 'Offer accepted'
      : snapshot.before === 'offered' && snapshot.isVisitor && snapshot.state === 'declined'
        ? 'Offer declined'
        : isUnanswered
          ? 'Offer ended unanswered'
          : ((snapshot.occasion && staffHeadlines[snapshot.occasion]) ??
            `Booking ${snapshot.state}`)
  return {
    subject: `${what}: ${snapshot.reference}, ${service}${isByDates(booking.unit) ? `, ${dates}` : ''}`,
    headline: what,
    body: [
      ...(isUnanswered
        ? paragraphs(
            `${booking.company ?? booking.name} didn’t answer our offer in time.${isByDates(booking.unit) ? ' The dates have been released.' : ''} You can make a new one from the page of the booking.`,
          )
        : snapshot.actor
          ? paragraphs(`By ${snapshot.actor}.`)
          : []),
      ...(snapshot.state === 'cancelled' ? paragraphs((snapshot.settled ?? []).join(' ')) : []),
    ],
  }
}

/** To staff: a request is still unanswered. */
export const unansweredStaff = ({ snapshot, service, dates, booking }: About): MailContent => ({
  subject: `Still unanswered: ${isByDates(booking.unit) ? 'booking' : 'request'} ${snapshot.reference}`,
  headline: 'Booking request awaiting reply',
  body: paragraphs(
    snapshot.change
      ? `${service}: ${dateRange(snapshot.change.from, snapshot.change.to)} instead of ${dates}. It expires on ${officeTime(snapshot.change.heldUntil)}, and the booking keeps its old dates.`
      : snapshot.heldUntil === null
        ? `${service}. We promised an answer within two working days.`
        : `${service}, ${dates}. It expires on ${officeTime(snapshot.heldUntil)}, and the dates are released.`,
  ),
})
