import * as z from 'zod'
import { datesInWords } from '#shared/bookings/dates-in-words.ts'
import { addDays } from '#shared/dates/civil-dates.ts'
import { apart } from '#shared/text/text.ts'
import { mailMessage, paragraphs } from '../../mail/layout.ts'
import { mailbox } from '../../mail/message.ts'
import type { Mail } from '../../mail/schema.ts'
import type { MailTemplate } from '../../mail/template.ts'
import type { BookingDocuments } from '../documents.ts'
import type { BookingRules } from '../days/rules.ts'
import type { Booking } from '../schema.ts'
import type { BookingStore } from '../store/store.ts'
import type { CrewStore } from '../store/crew-store.ts'
import { bookingEntry, invitation } from './invitation.ts'

const schema = z.object({
  reference: z.string(),
  person: z.string(),
  occasion: z.enum([
    'assigned',
    'confirmed',
    'reminder',
    'moved',
    'edited',
    'cancelled',
    'unassigned',
  ]),
})

/** What an email to a crew member is about. */
export type CrewMail = z.output<typeof schema>

/**
 * To a crew member: their booking, a reminder the day before, and every change, so their calendar stays
 * right.
 */
export const crewMail = ({
  bookings,
  crew,
  rules,
  mail,
  serviceTitle,
  sheetUrl,
  documents,
  dayFor,
}: {
  bookings: Pick<BookingStore, 'find'>
  crew: Pick<CrewStore, 'of'>
  rules: () => BookingRules
  mail: { staff: string }
  serviceTitle: (slug: string) => Promise<string>
  sheetUrl: (booking: Booking, person?: string) => string
  documents: Pick<BookingDocuments, 'sheetFile'>
  dayFor: (mail: Mail) => string
}): MailTemplate => ({
  keptDays: 'feature',
  async render(queued, brand) {
    const { data, queuedAt } = queued
    const { reference, person, occasion } = schema.parse(JSON.parse(data ?? 'null'))
    const address = rules().crew.find(({ name }) => name === person)?.email
    if (address === undefined) return { skip: 'they have no email address' }
    const booking = bookings.find(reference)
    if (!booking) return { skip: 'the booking is gone' }
    const isOff = occasion === 'unassigned'
    if (crew.of(booking).includes(person) === isOff) {
      return { skip: isOff ? 'they’re on it again' : 'they’re not on it' }
    }
    const isOver = isOff || !['requested', 'offered', 'confirmed'].includes(booking.state)
    if (isOver && occasion !== 'cancelled' && !isOff) {
      return { skip: `the booking is ${booking.state}` }
    }
    if (occasion === 'cancelled' && !isOver) return { skip: 'the booking is on again' }
    // Held up on its way, a reminder may leave when it's the day, or when it's too late.
    const today = dayFor(queued)
    const isToday = booking.from === today
    if (occasion === 'reminder' && !isToday && booking.from !== addDays(today, 1)) {
      return { skip: 'it isn’t tomorrow any more' }
    }
    if (occasion === 'confirmed' && booking.state !== 'confirmed') {
      return { skip: `the booking is ${booking.state}` }
    }
    const service = await serviceTitle(booking.service)
    const dates = datesInWords(booking)
    const url = sheetUrl(booking, person)
    const staff = mailbox(mail.staff)
    const place = booking.place || null
    const entry = bookingEntry(booking, brand, {
      uid: `${reference}-crew@${brand.uidHost}`,
      // Taken off and put on again, the booking is the same edition: the later of two counts.
      modifiedAt: Math.max(booking.changedAt, queuedAt),
      summary: `${service}: ${booking.company ?? booking.name}`,
      ...(isOver ? { status: 'CANCELLED' as const } : { description: `Call sheet: ${url}`, url }),
      ...(place && { location: place }),
      organizer: { name: brand.name, address: staff.address },
      attendee: { name: person, address },
    })
    return {
      to: { name: person, address },
      message: {
        ...mailMessage(brand, {
          subject: {
            assigned: `You’re on: ${service}, ${dates}`,
            confirmed: `Confirmed: ${service}, ${dates}`,
            reminder: `${isToday ? 'Today' : 'Tomorrow'}: ${service}, ${place ?? dates}`,
            moved: `New dates: ${service}, ${dates}`,
            edited: `Updated: ${service}, ${dates}`,
            cancelled: `Cancelled: ${service}, ${dates}`,
            unassigned: `You’re off: ${service}, ${dates}`,
          }[occasion],
          headline: {
            assigned: 'A booking for you',
            confirmed: 'Your booking is confirmed',
            reminder: `See you on site ${isToday ? 'today' : 'tomorrow'}`,
            moved: 'Your booking has new dates',
            // Place, times, contact or the note to the crew.
            edited: 'The call sheet has changed',
            cancelled: 'This booking is cancelled',
            unassigned: 'You’re no longer on this booking',
          }[occasion],
          number: `Booking ${reference}`,
          ...(isOver && { body: paragraphs('These dates are yours again.') }),
          ...(!isOver &&
            booking.state !== 'confirmed' && {
              body: paragraphs('It isn’t confirmed yet. Keep the dates free.'),
            }),
          details: [
            ['Service', service],
            ['Dates', dates],
            ...(place ? [['Place', place] as const] : []),
            ...(booking.eventTitle ? [['Event', booking.eventTitle] as const] : []),
            ['Contact', [apart(booking.name), booking.phone].filter(Boolean).join(', ')],
          ],
          ...(!isOver && { button: { label: 'Open the call sheet', url } }),
          small: isOver
            ? 'Questions? Reply to this email.'
            : 'The call sheet is attached, too. Can’t make it? Reply to this email.',
        }),
        replyTo: staff,
        ...(!isOver && { attachments: [await documents.sheetFile(booking)] }),
        calendar: invitation(entry, brand),
      },
    }
  },
})
