import * as z from 'zod'
import { bookingStates } from '#shared/bookings.ts'
import { dateRange } from '#shared/date-format.ts'
import { officeTime } from '#shared/helsinki-time.ts'
import { html } from '../markup.ts'
import { mailMessage, paragraphs, type MailParts } from '../mail/layout.ts'
import { mailbox, type Brand, type Message } from '../mail/message.ts'
import type { Mail } from '../mail/store.ts'
import type { MailTemplate, Rendered } from '../mail/template.ts'
import { bookingEntry, invitation, type Occasion } from './invitation.ts'
import type { Booking, BookingStore } from './store.ts'

/** The mails about bookings; those to staff end so. */
export type BookingMail =
  | 'bookingRequested'
  | 'bookingConfirmed'
  | 'bookingDeclined'
  | 'bookingCancelled'
  | 'bookingExpired'
  | 'bookingReminder'
  | 'bookingRequestedStaff'
  | 'bookingChangedStaff'
  | 'bookingUnansweredStaff'

const snapshot = z.object({
  reference: z.string(),
  state: z.enum(bookingStates),
  sequence: z.number(),
  from: z.string(),
  to: z.string(),
  changedAt: z.number(),
  heldUntil: z.nullable(z.number()),
  answer: z.nullable(z.string()),
  /** Who made the change, for staff. */
  actor: z.optional(z.string()),
})

/** What a queued mail remembers: the booking as it was then, without what names a person. */
type Snapshot = z.output<typeof snapshot>

/** What a mail about a booking as it is now has to remember. */
export const snapshotOf = (
  { reference, state, sequence, from, to, changedAt, heldUntil, answer }: Booking,
  actor?: string,
): Snapshot => ({ reference, state, sequence, from, to, changedAt, heldUntil, answer, actor })

/** What the templates are made from. */
type Parts = {
  bookings: Pick<BookingStore, 'find'>
  /** The configured sender and staff inbox. */
  mail: { from: string; staff: string }
  serviceTitle: (slug: string) => Promise<string>
  /** Absolute addresses of the signed pages. */
  visitorUrl: (booking: Booking) => string
  staffUrl: (booking: Booking) => string
  cutOffDays: () => number
  /** The panel of the client with an address, absolute; null where there is none. */
  panelOf: (email: string) => string | null
}

/** Everything that a mail is written from. */
type About = {
  booking: Booking
  told: Snapshot
  service: string
  dates: string
  brand: Brand
}

/**
 * Makes the templates. Mails to a visitor repeat nothing that the visitor typed: whoever filled in
 * the form may not own the address. Staff get everything, with the link to decide.
 */
export function bookingMails(parts: Parts): Record<BookingMail, MailTemplate> {
  const visitor = (write: (about: About) => MailParts): MailTemplate => ({
    keptDays: 'feature',
    render: (mail, brand) =>
      render(parts, mail, brand, (about) => toVisitor(parts, about, write(about))),
  })
  const staff = (write: (about: About) => MailParts): MailTemplate => ({
    keptDays: 'feature',
    render: (mail, brand) =>
      render(parts, mail, brand, (about) => toStaff(parts, about, write(about))),
  })
  return {
    bookingRequested: visitor(requested),
    bookingConfirmed: visitor((about) => confirmed(about, parts.cutOffDays())),
    bookingDeclined: visitor(declined),
    bookingCancelled: visitor(cancelled),
    bookingExpired: visitor(expired),
    bookingReminder: visitor(reminder),
    bookingRequestedStaff: staff(requestedStaff),
    bookingChangedStaff: staff(changedStaff),
    bookingUnansweredStaff: staff(unansweredStaff),
  }
}

async function render(
  { bookings, serviceTitle }: Parts,
  mail: Mail,
  brand: Brand,
  write: (about: About) => Rendered,
): Promise<Rendered> {
  const told = snapshot.parse(JSON.parse(mail.data ?? 'null'))
  const booking = bookings.find(told.reference)
  if (!booking) return { skip: 'the booking is gone' }
  const service = await serviceTitle(booking.service)
  return write({ booking, told, service, dates: datesOf(booking, told), brand })
}

/** Dates and times in words, as they were when the mail was queued. */
const datesOf = ({ start, end }: Booking, { from, to }: Snapshot): string =>
  dateRange(from, to) + (start ? `, ${start}${end ? `–${end}` : ''} (Helsinki)` : '')

const occasionOf = ({ start, end }: Booking, told: Snapshot): Occasion => ({ ...told, start, end })

function toVisitor(
  { mail, visitorUrl }: Parts,
  { booking, told, service, dates, brand }: About,
  parts: MailParts,
): Rendered {
  const url = visitorUrl(booking)
  const sender = mailbox(mail.from)
  const entry = bookingEntry(occasionOf(booking, told), brand, {
    summary: `${service} by ${brand.name}`,
    description: `Booking ${booking.reference}`,
    url,
    organizer: { name: brand.name, address: sender.address },
    attendee: { name: '', address: booking.email },
  })
  const message: Message = {
    ...mailMessage(brand, {
      number: `Booking ${booking.reference}`,
      button: { label: 'See your booking', url },
      details: [
        ['Service', service],
        ['Dates', dates],
      ],
      small: 'If you did not ask for this, you can ignore this message; nothing will be invoiced.',
      ...parts,
    }),
    calendar: invitation(entry, brand),
  }
  return { to: { name: '', address: booking.email }, message }
}

function toStaff(
  { mail, staffUrl, panelOf }: Parts,
  { booking, told, service, dates, brand }: About,
  parts: MailParts,
): Rendered {
  const { reference, name, email, phone, company, place, eventTitle, message } = booking
  const panel = panelOf(email)
  const url = staffUrl(booking)
  const entry = bookingEntry(occasionOf(booking, told), brand, {
    summary: `${service}: ${company ?? name}`,
    description: `Booking ${reference}`,
    location: place,
    url,
    organizer: { name: brand.name, address: mailbox(mail.from).address },
    attendee: { name: '', address: mailbox(mail.staff).address },
  })
  const facts: [string, MailParts['headline'] | null][] = [
    ['Service', service],
    ['Dates', dates],
    ['Place', place],
    ['Event', eventTitle],
    ['Name', name],
    ['Email', email],
    ['Phone', phone],
    ['Company', company],
    ['Form proof', booking.proven ? 'yes' : 'none: look twice'],
  ]
  return {
    to: mailbox(mail.staff),
    message: {
      ...mailMessage(brand, {
        number: `Booking ${reference}`,
        button: { label: 'Open the booking', url },
        details: [
          ...facts.flatMap(([label, value]) => (value ? [[label, value] as const] : [])),
          ...(panel ? [['Client', html`<a href="${panel}">Panel</a>`] as const] : []),
        ],
        more: message ? paragraphs(message) : undefined,
        small: `Your answer to this mail goes to the visitor. On the command line: pitlane bookings show ${reference}`,
        ...parts,
      }),
      replyTo: { name, address: email },
      calendar: invitation(entry, brand),
    },
  }
}

const said = (answer: string | null) => (answer ? paragraphs(answer) : undefined)

const requested = ({ told, service, dates }: About): MailParts => ({
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

const confirmed = ({ told, service, dates }: About, cutOffDays: number): MailParts => ({
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

const declined = ({ told, service, dates }: About): MailParts => ({
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

const cancelled = ({ told, dates }: About): MailParts => ({
  subject: `Cancelled: booking ${told.reference}`,
  preheader: `The booking of ${dates} is cancelled.`,
  headline: 'Your booking is cancelled',
  body:
    said(told.answer) ??
    paragraphs(`The booking of ${dates} is cancelled and the dates are free again.`),
  next: ['If that was a mistake, send us another request or answer this mail.'],
})

const expired = ({ told, dates }: About): MailParts => ({
  subject: `Your booking request ${told.reference} has run out`,
  preheader: 'We did not manage to answer in time.',
  headline: 'Your request has run out',
  body: paragraphs(
    `We are sorry: we did not manage to confirm ${dates} in time, so the dates are no longer held for you. They may still be free.`,
  ),
  next: ['Send us the request again, or answer this mail and we sort it out in person.'],
})

const reminder = ({ told, service, dates, booking }: About): MailParts => ({
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

const requestedStaff = ({ told, service, dates, booking }: About): MailParts => ({
  subject: `Booking request ${told.reference}: ${service}, ${dates}`,
  preheader: `${booking.company ?? booking.name}, ${booking.place}`,
  headline: told.sequence === 0 ? 'New booking request' : 'Other dates are asked for',
  next: [
    `Confirm or decline before ${officeTime(told.heldUntil ?? told.changedAt)}; then the request runs out and the dates are free again.`,
  ],
})

const changedStaff = ({ told, service, dates }: About): MailParts => ({
  subject: `Booking ${told.reference} is ${told.state}: ${service}, ${dates}`,
  headline: `Booking ${told.state}`,
  body: told.actor ? paragraphs(`By ${told.actor}.`) : undefined,
})

const unansweredStaff = ({ told, service, dates }: About): MailParts => ({
  subject: `Still without an answer: booking ${told.reference}`,
  headline: 'A request waits for your answer',
  body: paragraphs(
    `${service}, ${dates}. It runs out on ${officeTime(told.heldUntil ?? told.changedAt)}, and the dates are free again.`,
  ),
})
