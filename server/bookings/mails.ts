import { dateRange } from '#shared/date-format.ts'
import { html } from '../markup.ts'
import { mailMessage, paragraphs, type MailContent } from '../mail/layout.ts'
import { mailbox, type Brand, type Message } from '../mail/message.ts'
import type { Mail } from '../mail/mail.ts'
import type { MailTemplate, Rendered } from '../mail/template.ts'
import { bookingEntry, invitation, type Occasion } from './invitation.ts'
import {
  cancelled,
  changedStaff,
  confirmed,
  declined,
  expired,
  reminder,
  requested,
  requestedStaff,
  unansweredStaff,
  type About,
} from './mail-texts.ts'
import { snapshot, type Snapshot } from './snapshot.ts'
import type { Booking } from './booking.ts'
import type { BookingStore } from './store.ts'

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

/** What the templates are made from. */
type BookingMailDeps = {
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

/**
 * Makes the templates. Mails to a visitor repeat nothing that the visitor typed: whoever filled in
 * the form may not own the address. Staff get everything, with the link to decide.
 */
export function bookingMails(deps: BookingMailDeps): Record<BookingMail, MailTemplate> {
  const visitor = (write: (about: About) => MailContent): MailTemplate => ({
    keptDays: 'feature',
    render: (mail, brand) =>
      render(deps, mail, brand, (about) => toVisitor(deps, about, write(about))),
  })
  const staff = (write: (about: About) => MailContent): MailTemplate => ({
    keptDays: 'feature',
    render: (mail, brand) =>
      render(deps, mail, brand, (about) => toStaff(deps, about, write(about))),
  })
  return {
    bookingRequested: visitor(requested),
    bookingConfirmed: visitor((about) => confirmed(about, deps.cutOffDays())),
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
  { bookings, serviceTitle }: BookingMailDeps,
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
  { mail, visitorUrl }: BookingMailDeps,
  { booking, told, service, dates, brand }: About,
  content: MailContent,
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
      ...content,
    }),
    calendar: invitation(entry, brand),
  }
  return { to: { name: '', address: booking.email }, message }
}

function toStaff(
  { mail, staffUrl, panelOf }: BookingMailDeps,
  { booking, told, service, dates, brand }: About,
  content: MailContent,
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
  const facts: [string, MailContent['headline'] | null][] = [
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
        ...content,
      }),
      replyTo: { name, address: email },
      calendar: invitation(entry, brand),
    },
  }
}
