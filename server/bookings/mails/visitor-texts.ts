import { priceOn } from '#shared/bookings/price.ts'
import { isByDates } from '#shared/bookings/sale-units.ts'
import { addDays } from '#shared/dates/civil-dates.ts'
import { cityOf } from '#shared/dates/zones.ts'
import { dateRange, longDate } from '#shared/dates/date-format.ts'
import { officeTime } from '#shared/dates/helsinki-time.ts'
import { euros } from '#shared/money.ts'
import { html, type Markup } from '../../text/markup.ts'
import { paragraphs, type MailContent } from '../../mail/layout.ts'
import { factTable } from '../../mail/tables.ts'
import type { Brand } from '../../mail/message.ts'
import type { Snapshot } from './snapshot.ts'
import type { Booking } from '../schema.ts'

/** Everything that an email is written from. */
export type About = {
  booking: Booking
  snapshot: Snapshot
  service: string
  dates: string
  brand: Brand
}

/** A deposit that is asked for: per cent of the price, and its invoice once there is one. */
export type AskedDeposit = {
  percent: number
  /** Cents that are left to pay, the due date, and where it's paid by card; null where it can't be. */
  invoiced: { open: number; dueOn: string | null; payUrl: string | null } | null
}

const said = (answer: string | null) => (answer ? paragraphs(answer) : undefined)

/** A new or moved request: its dates are held, or it's being reviewed. */
export const requested = ({ booking, snapshot, service, dates }: About): MailContent => {
  const isMoved = snapshot.occasion === 'request-moved'
  return isByDates(booking.unit)
    ? {
        subject: `Your booking request ${snapshot.reference}`,
        preheader: `${service}, ${dates}: we hold these dates for you.`,
        headline: isMoved ? 'We hold your new dates' : 'We hold your dates',
        body: paragraphs(
          `${isMoved ? 'You asked for other dates, so we’ve released the old ones.' : 'Thank you for your booking request.'} The dates are reserved for you while we check crew, travel and accreditation. Nothing is binding yet, for you or for us.`,
        ),
        next: [
          'We review your request.',
          `You’ll hear from us by ${officeTime(snapshot.heldUntil ?? snapshot.changedAt)}. Until then the dates are yours.`,
          booking.lines.length > 0
            ? 'We confirm at the price below, or make you an offer to accept or decline.'
            : 'We make you an offer to accept or decline, or tell you why not.',
        ],
      }
    : {
        subject: `Your request ${snapshot.reference}`,
        preheader: `${service}: we’ll answer within two working days.`,
        headline: 'Thanks for your request',
        body: paragraphs(
          `We’ve got your request for ${service}. We’ll go through what you need and send you an offer. Nothing is binding yet, for you or for us.`,
        ),
        next: [
          'We read your request and ask if anything is unclear.',
          'You’ll have our answer within two working days.',
          'Accept or decline our offer with one click.',
        ],
      }
}

/** Staff make an offer. */
export const offered = ({ booking, snapshot, service, dates }: About): MailContent => {
  const { offer } = booking
  // The last minute of a day says more than the first one of the next.
  const end = officeTime((offer?.validUntil ?? snapshot.changedAt) - 60_000)
  const asked = offer?.asked
  return {
    subject: `Our offer for ${service}${isByDates(booking.unit) ? `, ${dates}` : ''}`,
    preheader: `Open until ${end}.`,
    headline: 'Here’s our offer',
    body: [
      ...(said(snapshot.answer) ?? []),
      ...(asked
        ? paragraphs(
            `You’d asked for ${dateRange(asked.from, asked.to)}. We offer ${dates} instead.`,
          )
        : []),
    ],
    next: [
      isByDates(booking.unit)
        ? `We hold the dates for you until ${end}.`
        : `The offer is open until ${end}.`,
      'Open it with the button below to accept or decline. Accepting makes the booking binding.',
    ],
  }
}

/** An unanswered offer ends soon. */
export const offerEnds = ({ booking, snapshot, service, dates }: About): MailContent => {
  const end = officeTime((booking.offer?.validUntil ?? snapshot.changedAt) - 60_000)
  const byDates = isByDates(booking.unit)
  return {
    subject: `Our offer for ${service} ends on ${end}`,
    preheader: byDates ? `We hold ${dates} for you until then.` : 'You can accept it until then.',
    headline: 'Our offer ends soon',
    body: paragraphs(
      byDates
        ? `We hold ${dates} for you until ${end}. After that we release the dates.`
        : `You can accept our offer until ${end}.`,
    ),
    next: [
      'Open it with the button below to accept or decline. Accepting makes the booking binding.',
      'Need more time, or something changed? Reply to this email.',
    ],
  }
}

/** A request that waits for the link in this email. */
export const waiting = (
  { snapshot, service, dates }: About,
  { url, until }: { url: string; until: number },
): MailContent => ({
  subject: `Confirm your booking request ${snapshot.reference}`,
  preheader: 'One click, and we hold the dates for you.',
  headline: 'One more step',
  body: paragraphs(
    `Someone (hopefully you) asked us to hold dates for ${service}: ${dates}. Many requests are open for that month, so please confirm that this one is yours. We’ll hold the dates as soon as you do, if they’re still free.`,
  ),
  button: { label: 'Hold these dates', url },
  more: paragraphs(`The link works until ${officeTime(until)}.`),
  small: 'Not you? Ignore this email and nothing will be held.',
})

/**
 * The booking is confirmed: staff confirmed a request or a date change, or the visitor accepted an
 * offer.
 * @param cutOffDays until when the visitor may still change things by the link; null where that is over
 * @param isBillingMissing whether the invoice still needs something
 * @param deposit what is still asked for; null for none
 */
export const confirmed = (
  { booking, snapshot, service, dates }: About,
  {
    cutOffDays,
    isBillingMissing,
    deposit: asked,
  }: { cutOffDays: number | null; isBillingMissing: boolean; deposit: AskedDeposit | null },
): MailContent => {
  const byDates = isByDates(booking.unit)
  const isMoved = snapshot.occasion === 'change-confirmed'
  const deposit = isMoved ? null : asked
  return {
    subject: byDates ? `Confirmed: ${service}, ${dates}` : `Confirmed: ${service}`,
    preheader: `Booking ${snapshot.reference} is confirmed.`,
    headline: isMoved ? 'Your new dates are confirmed' : 'Your booking is confirmed',
    body: [
      ...(snapshot.before === 'offered' && snapshot.isVisitor
        ? paragraphs('Thank you for accepting our offer. What we’ve agreed is below and attached.')
        : (said(snapshot.answer) ?? [])),
      ...(isMoved && snapshot.was
        ? paragraphs(
            `They replace ${dateRange(snapshot.was.from, snapshot.was.to)}, which we’ve released.`,
          )
        : []),
    ],
    next: [
      ...(isBillingMissing
        ? ['Open your booking and fill in the billing address for the invoice.']
        : []),
      ...(deposit === null ? [] : [depositStep(deposit)]),
      ...(byDates
        ? [
            'Open the attachment to add the dates to your calendar.',
            'We’ll be in touch about the schedule, contacts and accreditation.',
            cutOffDays === null
              ? 'To cancel or change dates, please call us or reply to this email.'
              : `Until ${cutOffDays > 1 ? `${cutOffDays} days` : 'the day'} before the first day you can cancel or change dates with the link below; after that, please call us.`,
          ]
        : ['We’ll be in touch to plan the work.']),
    ],
  }
}

/** What to do about a deposit. */
function depositStep({ percent, invoiced }: AskedDeposit): Markup | string {
  if (!invoiced) return `We’ll send you an invoice for the ${percent} % deposit.`
  const { open, dueOn, payUrl } = invoiced
  const due = dueOn ? ` by ${longDate(dueOn)}` : ''
  const what = `the deposit of ${euros(open)}${due}`
  return payUrl === null
    ? `Pay ${what}, by bank transfer with the invoice we’ve emailed you.`
    : html`<a href="${payUrl}">Pay the deposit by card</a>, or by bank transfer with the invoice
        we’ve emailed you: ${euros(open)}${due}.`
}

/** Staff have moved it. */
export const moved = ({ booking, snapshot, service, dates }: About): MailContent => {
  const byDates = isByDates(booking.unit)
  const was = snapshot.was
    ? ` instead of ${byDates ? dateRange(snapshot.was.from, snapshot.was.to) : longDate(snapshot.was.from)}`
    : ''
  const [they, work] = byDates ? ['These dates', 'don’t'] : ['The new start', 'doesn’t']
  return {
    subject: byDates ? `New dates: ${service}, ${dates}` : `New start: ${service}, ${dates}`,
    preheader: `We’ve moved booking ${snapshot.reference}.`,
    headline: byDates ? 'We’ve moved your booking' : 'We’ve moved the start',
    // What we last wrote was about the earlier dates, and moving takes no text of its own.
    body: paragraphs(
      byDates
        ? `As agreed with us, it now takes place on ${dates}${was}.`
        : `As agreed with us, we start on ${dates}${was}.`,
    ),
    next:
      snapshot.state === 'confirmed'
        ? [
            // Work by month or project has no entry in a calendar.
            ...(byDates ? ['Open the attachment to update your calendar.'] : []),
            `${they} ${work} work, or this is news to you? Reply to this email and we’ll sort it out.`,
          ]
        : [
            'Nothing is binding yet, for you or for us.',
            `${they} ${work} work? Reply to this email${byDates ? ', or request others with the link below' : ''}.`,
          ],
  }
}

/** Staff have changed times, place or scope. */
export const edited = ({ booking, snapshot, service, dates }: About): MailContent => {
  const changes = editsOf(booking, snapshot)
  return {
    subject: `Updated: booking ${snapshot.reference}`,
    preheader: `${service}, ${dates}: we’ve updated the details.`,
    headline: 'We’ve updated your booking',
    body: [
      ...paragraphs(
        `We’ve changed ${listed(changes.map(({ what }) => what)) || 'something'} in your booking for ${service}.`,
      ),
      // Until it's agreed, the mailbox may not be that of who typed the rest.
      ...(snapshot.state === 'confirmed' && changes.length > 0
        ? [
            factTable(
              changes.map(({ label, was, now }) => [
                label,
                `${now || 'not set'} (before: ${was || 'not set'})`,
              ]),
            ),
          ]
        : []),
    ],
    next: ['Anything wrong? Reply to this email and we’ll correct it.'],
  }
}

const listed = (words: readonly string[]): string => new Intl.ListFormat('en-GB').format(words)

/** What an edit has changed, as it was and as it is. */
function editsOf({ zone }: Booking, { edited: both }: Snapshot) {
  if (!both) return []
  const hours = ({ start, end }: typeof both.was) =>
    start && `${end ? `${start}–${end}` : `from ${start}`}, ${cityOf(zone)} time`
  const { was, now } = both
  return [
    { what: 'the place', label: 'Place', was: was.place, now: now.place },
    { what: 'the hours', label: 'Hours', was: hours(was), now: hours(now) },
    { what: 'the scope', label: 'Scope', was: was.scope, now: now.scope },
  ].filter((each) => each.was !== each.now)
}

/** The price on the requested dates, as a sentence; none if it stays the same. */
export function askedPrice(
  { booking: { lines }, snapshot }: Pick<About, 'booking' | 'snapshot'>,
  begin: string,
): string[] {
  const price = snapshot.change ? priceOn(lines, snapshot.change, snapshot) : null
  return price === null ? [] : [`${begin} ${price}.`]
}

/** The visitor of a confirmed booking asks for other dates. */
export const changeAsked = ({ booking, snapshot, dates }: About): MailContent => ({
  subject: `Date change for booking ${snapshot.reference}`,
  preheader: `You’re still booked for ${dates} until we answer.`,
  headline: 'We hold your new dates, too',
  body: paragraphs(
    `You asked to move to ${snapshot.change ? dateRange(snapshot.change.from, snapshot.change.to) : 'other dates'}. We’re holding them as well: you’re still booked for ${dates} until we confirm the new ones.`,
  ),
  next: [
    `You’ll hear from us by ${officeTime(snapshot.change?.heldUntil ?? snapshot.changedAt)}.`,
    ...askedPrice({ booking, snapshot }, 'Once we confirm them, the price is'),
    'If we can’t take the new dates, nothing changes.',
  ],
})

/** The date change won't happen; the booking stays as agreed. */
export function changeOver({ snapshot, service, dates }: About): MailContent {
  const asked = snapshot.was ? dateRange(snapshot.was.from, snapshot.was.to) : 'other dates'
  const why = {
    'change-declined': `We can’t take ${asked}.`,
    'change-expired': `Sorry, we didn’t confirm ${asked} in time, so we no longer hold them.`,
    'change-withdrawn': `We no longer hold ${asked} for you.`,
  } as const
  const occasion = (snapshot.occasion ?? 'change-declined') as keyof typeof why
  return {
    subject: `Your booking ${snapshot.reference} is unchanged`,
    preheader: `${service}, ${dates}.`,
    headline: 'Your booking is unchanged',
    body: [
      ...(said(snapshot.answer) ?? paragraphs(why[occasion])),
      ...paragraphs(`Your booking for ${service} on ${dates} is still confirmed.`),
    ],
    next:
      occasion === 'change-withdrawn'
        ? undefined
        : ['Still need to change it? Reply to this email, or use the link below.'],
  }
}

/** Staff declined the request, or the visitor declined our offer. */
export const declined = ({ booking, snapshot, service, dates }: About): MailContent =>
  snapshot.isVisitor
    ? {
        subject: `You’ve declined our offer ${snapshot.reference}`,
        preheader: 'Nothing is booked, and there’s nothing to pay.',
        headline: 'You’ve declined our offer',
        body: paragraphs('Nothing is booked, and there’s nothing to pay.'),
        next: ['Something we could change? Reply to this email and we’ll make you another offer.'],
      }
    : {
        subject: `Your booking request ${snapshot.reference}`,
        preheader: isByDates(booking.unit) ? 'We can’t do these dates.' : 'We can’t take this on.',
        headline: isByDates(booking.unit) ? 'We can’t do these dates' : 'We can’t take this on',
        body:
          said(snapshot.answer) ??
          paragraphs(
            isByDates(booking.unit)
              ? `Sorry, we can’t do ${service} on ${dates}. The dates have been released. There’s nothing to pay.`
              : `Sorry, we can’t take on ${service} at the moment. There’s nothing to pay.`,
          ),
        next: isByDates(booking.unit)
          ? ['Other dates may well work: send us another request, or reply to this email.']
          : ['If your start can move, reply to this email.'],
      }

/** The booking was cancelled, by the visitor or by staff; with its settlement. */
export const cancelled = ({ booking, snapshot, service, dates }: About): MailContent => {
  const what = isByDates(booking.unit) ? `${service} on ${dates}` : service
  const isOwn = snapshot.by === 'visitor'
  const why = isOwn
    ? `As you asked, ${what} is cancelled. Thank you for telling us.`
    : {
        customer: `As agreed with you, ${what} is cancelled.`,
        organiser: `The organiser has cancelled the event, so ${what} is cancelled.`,
        us: `We’ve had to cancel ${what}.`,
      }[snapshot.because ?? 'us']
  const isOurs = !isOwn && (snapshot.because ?? 'us') === 'us'
  return {
    subject: `Cancelled: booking ${snapshot.reference}`,
    preheader: `${what} is cancelled.`,
    headline: isOwn
      ? 'You’ve cancelled your booking'
      : isOurs
        ? 'We’ve cancelled your booking'
        : 'Your booking is cancelled',
    body: [
      ...(said(snapshot.answer) ?? paragraphs(why)),
      ...paragraphs((snapshot.settled ?? []).join(' ')),
    ],
    next: [
      isOwn
        ? 'If that was a mistake, send us another request or reply to this email.'
        : isByDates(booking.unit)
          ? 'Questions, or other dates? Reply to this email.'
          : 'Questions, or another start? Reply to this email.',
    ],
  }
}

/** A request or an offer expired. */
export const expired = ({ booking, snapshot, dates }: About): MailContent =>
  snapshot.before === 'offered'
    ? {
        subject: `Our offer ${snapshot.reference} has ended`,
        preheader: 'Nothing is booked, and there’s nothing to pay.',
        headline: 'Our offer has ended',
        body: paragraphs(
          isByDates(booking.unit)
            ? `We held ${dates} for you until now. We’ve released the dates, and there’s nothing to pay.`
            : 'Nothing is booked, and there’s nothing to pay.',
        ),
        next: ['Still interested? Reply to this email and we’ll make you a new offer.'],
      }
    : {
        subject: `Your booking request ${snapshot.reference} has expired`,
        preheader: 'We didn’t get back to you in time.',
        headline: 'Your request has expired',
        body: paragraphs(
          `Sorry, we didn’t confirm ${dates} in time, so we no longer hold these dates for you. They may still be open.`,
        ),
        next: ['Send us the request again, or reply to this email and we’ll sort it out.'],
      }

/** The days come up. @param today the day on which it is written */
export const reminder = (
  { snapshot, service, dates, booking }: About,
  today: string,
): MailContent => ({
  subject: isByDates(booking.unit) ? `Soon: ${service}, ${dates}` : `Soon: ${service}`,
  preheader: `Your booking ${snapshot.reference} is coming up.`,
  headline: isByDates(booking.unit) ? 'See you soon' : 'We start soon',
  body: paragraphs(
    isByDates(booking.unit)
      ? `Your booking is coming up: ${service}, ${dates}.`
      : `We start on ${longDate(snapshot.from)}: ${service}.`,
  ),
  next: isByDates(booking.unit)
    ? [
        'Tell us if the schedule, contacts on site or location have changed.',
        booking.start
          ? 'Our crew will be there at the agreed time.'
          : `We’ll agree times with you ${addDays(today, 1) === snapshot.from ? 'today' : 'the day before'}.`,
      ]
    : ['Tell us if anything has changed since we agreed it.'],
})
