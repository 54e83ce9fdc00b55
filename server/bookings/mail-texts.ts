import { officeTime } from '#shared/helsinki-time.ts'
import { paragraphs, type MailContent } from '../mail/layout.ts'
import type { Brand } from '../mail/message.ts'
import type { Snapshot } from './snapshot.ts'
import type { Booking } from './booking.ts'

/** Everything that a mail is written from. */
export type About = {
  booking: Booking
  told: Snapshot
  service: string
  dates: string
  brand: Brand
}

const said = (answer: string | null) => (answer ? paragraphs(answer) : undefined)

/** A request has come: the days are held. */
export const requested = ({ told, service, dates }: About): MailContent => ({
  subject: `Your booking request ${told.reference}`,
  preheader: `${service}, ${dates}: we hold these dates for you.`,
  headline: 'We hold your dates',
  body: paragraphs(
    'Thank you for your booking request. The dates are reserved for you while we check crew, travel and accreditation. Nothing is binding yet, for you or for us.',
  ),
  next: [
    'One of us goes through your request.',
    `You hear from us before ${officeTime(told.heldUntil ?? told.changedAt)}; until then nobody else can book these dates.`,
    'Once we confirm, the booking stands. You can cancel or ask for other dates by the link below.',
  ],
})

/** Staff have confirmed. @param cutOffDays until when the visitor may still change things */
export const confirmed = ({ told, service, dates }: About, cutOffDays: number): MailContent => ({
  subject: `Confirmed: ${service}, ${dates}`,
  preheader: `Booking ${told.reference} is confirmed.`,
  headline: 'Your booking is confirmed',
  body: said(told.answer),
  next: [
    'The attached entry puts the dates into your calendar.',
    'We get in touch about schedule, contacts and accreditation.',
    `Until ${cutOffDays} days before the first day you can cancel or ask for other dates by the link below; after that please call us.`,
  ],
})

/** Staff have declined. */
export const declined = ({ told, service, dates }: About): MailContent => ({
  subject: `Your booking request ${told.reference}`,
  preheader: 'We cannot take these dates.',
  headline: 'We cannot take these dates',
  body:
    said(told.answer) ??
    paragraphs(
      `We are sorry: we cannot do ${service} on ${dates}. The dates are free again, and you owe nothing.`,
    ),
  next: ['Other dates may well work: send us another request, or answer this mail.'],
})

/** It was cancelled, by the visitor or by staff. */
export const cancelled = ({ told, dates }: About): MailContent => ({
  subject: `Cancelled: booking ${told.reference}`,
  preheader: `The booking of ${dates} is cancelled.`,
  headline: 'Your booking is cancelled',
  body:
    said(told.answer) ??
    paragraphs(`The booking of ${dates} is cancelled and the dates are free again.`),
  next: ['If that was a mistake, send us another request or answer this mail.'],
})

/** It was not answered in time. */
export const expired = ({ told, dates }: About): MailContent => ({
  subject: `Your booking request ${told.reference} has run out`,
  preheader: 'We did not manage to answer in time.',
  headline: 'Your request has run out',
  body: paragraphs(
    `We are sorry: we did not manage to confirm ${dates} in time, so the dates are no longer held for you. They may still be free.`,
  ),
  next: ['Send us the request again, or answer this mail and we sort it out in person.'],
})

/** The days come up. */
export const reminder = ({ told, service, dates, booking }: About): MailContent => ({
  subject: `Soon: ${service}, ${dates}`,
  preheader: `Booking ${told.reference} comes up.`,
  headline: 'See you soon',
  body: paragraphs(`Your booking comes up: ${service}, ${dates}.`),
  next: [
    'Tell us if the schedule, the contacts on site or the place have changed.',
    booking.start
      ? 'Our crew is there at the agreed time.'
      : 'We agree on times with you the day before.',
  ],
})

/** To staff: a request, or other dates of one. */
export const requestedStaff = ({ told, service, dates, booking }: About): MailContent => ({
  subject: `Booking request ${told.reference}: ${service}, ${dates}`,
  preheader: `${booking.company ?? booking.name}, ${booking.place}`,
  headline: told.sequence === 0 ? 'New booking request' : 'Other dates are asked for',
  next: [
    `Confirm or decline before ${officeTime(told.heldUntil ?? told.changedAt)}; then the request runs out and the dates are free again.`,
  ],
})

/** To staff: what became of a booking. */
export const changedStaff = ({ told, service, dates }: About): MailContent => ({
  subject: `Booking ${told.reference} is ${told.state}: ${service}, ${dates}`,
  headline: `Booking ${told.state}`,
  body: told.actor ? paragraphs(`By ${told.actor}.`) : undefined,
})

/** To staff: a request that is about to run out. */
export const unansweredStaff = ({ told, service, dates }: About): MailContent => ({
  subject: `Still without an answer: booking ${told.reference}`,
  headline: 'A request waits for your answer',
  body: paragraphs(
    `${service}, ${dates}. It runs out on ${officeTime(told.heldUntil ?? told.changedAt)}, and the dates are free again.`,
  ),
})
