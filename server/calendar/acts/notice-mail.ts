import * as z from 'zod'
import { dateRange } from '#shared/dates/date-format.ts'
import { paths } from '#shared/paths.ts'
import { mailMessage, paragraphs, type MailContent } from '../../mail/layout.ts'
import { mailbox, type Brand, type Message } from '../../mail/message.ts'
import type { Mail } from '../../mail/schema.ts'
import type { MailTemplate } from '../../mail/template.ts'
import type { CalendarBookings } from '../calendar-bookings.ts'
import type { EventFacts, EventNotice } from '../schema.ts'
import type { NoticeStore } from './notice-store.ts'

/** The kind of the emails about a changed event. */
export const eventChanged = 'eventChanged'

/** What a queued email about a changed event has as its data. */
const noticeData = z.object({ notice: z.number(), reference: z.string() })

/** See {@link noticeData}. */
export type NoticeData = z.output<typeof noticeData>

/** A booking in words, as {@link CalendarBookings} gives it. */
type Described = NonNullable<Awaited<ReturnType<CalendarBookings['describe']>>>

/** Makes the template of the emails that tell a booking's contact what became of its event. */
export function noticeTemplate({
  notices,
  bookings,
  staff,
  siteUrl,
}: {
  notices: Pick<NoticeStore, 'find'>
  bookings: Pick<CalendarBookings, 'describe'>
  staff: string
  /** Not known before a server has run. */
  siteUrl: () => string
}): MailTemplate {
  return {
    async render(mail: Mail, brand: Brand) {
      const { notice: id, reference } = noticeData.parse(JSON.parse(mail.data ?? 'null'))
      const notice = notices.find(id)
      if (!notice) return { skip: 'the event changed back' }
      const described = await bookings.describe(reference)
      if (!described) return { skip: 'the booking has ended' }
      const { name, email } = described.booking
      return {
        to: { name, address: email },
        message: noticeMessage(brand, { notice, described, staff, siteUrl: siteUrl() }),
      }
    },
  }
}

/** The email to the contact of a booking, whose replies reach staff. */
export function noticeMessage(
  brand: Brand,
  {
    notice,
    described: { booking, service, url, acts },
    staff,
    siteUrl,
  }: { notice: EventNotice; described: Described; staff: string; siteUrl: string },
): Message {
  const { before, after, eventId } = notice
  const isAgreed = booking.state === 'confirmed'
  const what = newsOf(before, after, { isAgreed, ...acts })
  const isMoved = when(before) !== when(after)
  const dates = dateRange(booking.from, booking.to)
  const content: MailContent = {
    subject: `${what.subject}: booking ${booking.reference}`,
    preheader: `Your ${isAgreed ? 'booking' : 'request'} stays as it is: ${dates}. Tell us what you’d like to do.`,
    headline: what.headline,
    number: `Booking ${booking.reference}`,
    body: paragraphs(
      `${what.sentence}\n\nYour booking hasn’t changed: ${service}, ${dates}. It stays that way until you or we change it.`,
    ),
    next: what.next,
    button: { label: 'See your booking', url },
    details: [
      ['Event', after.title],
      ...(what.isOff ? [] : ([[isMoved ? 'New dates' : 'Dates', when(after)]] as const)),
      ...(isMoved || what.isOff ? ([['Was', when(before)]] as const) : []),
      ...(after.place ? ([['Place', after.place]] as const) : []),
      ['Event page', siteUrl + paths.calendarEvent(eventId)],
    ],
    small: 'Reply to this email and it reaches our team.',
  }
  return { ...mailMessage(brand, content), replyTo: mailbox(staff) }
}

/** When an event is, in words: dates, and times by the clock at the venue. */
function when({ start, end }: EventFacts): string {
  const [from = '', startTime] = start.split('T')
  const [to = from, endTime] = (end ?? start).split('T')
  const times = startTime ? `, ${startTime}${end && endTime ? `–${endTime}` : ''} local time` : ''
  return dateRange(from, to) + times
}

/** What became of an event, in the words of the email, and what the customer can do about it. */
function newsOf(
  before: EventFacts,
  after: EventFacts,
  { isAgreed, cancel, move }: { isAgreed: boolean } & Described['acts'],
) {
  const { title } = after
  // Shortly before the first day the page leaves changes to us.
  const options = move
    ? 'Keep your dates, change them or cancel: it’s all on your booking page.'
    : cancel
      ? 'You can cancel on your booking page. Want other dates? Reply to this email.'
      : 'Keep your dates, change them or cancel: reply to this email or call us.'
  if (after.status === 'cancelled') {
    return {
      isOff: true,
      subject: `${title} is cancelled`,
      headline: 'Your event is cancelled',
      sentence: `The organiser has cancelled ${title}.`,
      next: [
        options,
        isAgreed
          ? 'If you cancel now, you only pay travel costs we can’t get back.'
          : 'Nothing is binding yet, so cancelling costs nothing.',
        'Racing elsewhere instead? Reply with the new place and dates.',
      ],
    }
  }
  if (after.status === 'postponed') {
    return {
      isOff: true,
      subject: `${title} is postponed`,
      headline: 'Your event is postponed',
      sentence: `The organiser has postponed ${title}. There’s no new date yet.`,
      next: [options, 'We’ll write again once the new date is known.'],
    }
  }
  if (before.status !== after.status && before.status !== 'tbc' && after.status !== 'tbc') {
    return {
      isOff: false,
      subject: `${title} is back on`,
      headline: 'Your event is back on',
      sentence: `${title} is going ahead after all: ${when(after)}.`,
      next: [options],
    }
  }
  if (when(before) !== when(after)) {
    return {
      isOff: false,
      subject: `${title} has new dates`,
      headline: 'Your event has new dates',
      sentence: `${title} has moved to ${when(after)}. It was planned for ${when(before)}.`,
      next: [
        ...(move ? ['Want us on the new dates? Request them on your booking page.'] : []),
        options,
      ],
    }
  }
  if (before.place !== after.place) {
    return {
      isOff: false,
      subject: `${title} has a new venue`,
      headline: 'Your event has a new venue',
      sentence: `${title} now takes place at ${after.place}. It was planned for ${before.place || 'another venue'}.`,
      next: [options],
    }
  }
  return {
    isOff: false,
    subject: `${title}: details have changed`,
    headline: 'Details of your event have changed',
    sentence:
      before.title === after.title
        ? `${title} is ${after.status === 'tbc' ? 'not confirmed by its organiser yet' : 'confirmed by its organiser'}.`
        : `${before.title} is now called ${title}.`,
    next: [options],
  }
}
