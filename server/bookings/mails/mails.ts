import { isByDates } from '#shared/bookings/sale-units.ts'
import { countryName } from '#shared/shop/countries.ts'
import { datesInWords } from '#shared/bookings/dates-in-words.ts'
import { detailLabels } from '#shared/bookings/bookings.ts'
import { paths } from '#shared/paths.ts'
import { html } from '../../text/markup.ts'
import { mailMessage, paragraphs, type MailContent } from '../../mail/layout.ts'
import { mailbox, type Attachment, type Brand, type Message } from '../../mail/message.ts'
import type { Mail } from '../../mail/schema.ts'
import type { MailTemplate, Rendered } from '../../mail/template.ts'
import { bookingEntry, invitation, whereabouts, type EntryFacts } from './invitation.ts'
import {
  cancelled,
  changeAsked,
  changeOver,
  confirmed,
  declined,
  edited,
  expired,
  moved,
  offered,
  offerEnds,
  reminder,
  requested,
  waiting,
  type About,
  type AskedDeposit,
} from './visitor-texts.ts'
import { changedStaff, requestedStaff, unansweredStaff } from './staff-texts.ts'
import { crewMail } from './crew-mail.ts'
import { doubtfulMail } from './doubtful.ts'
import { mailData, type Snapshot } from './snapshot.ts'
import type { BookingBilling } from '../acts/ending.ts'
import { bookingFacts } from '#shared/bookings/facts.ts'
import { apart } from '#shared/text/text.ts'
import type { Booking } from '../schema.ts'
import { offerRulesInMail, priceTable, rulesInMail } from './agreement.ts'
import type { BookingDocuments } from '../documents.ts'
import type { BookingRules } from '../days/rules.ts'
import type { CrewStore } from '../store/crew-store.ts'
import type { BookingStore } from '../store/store.ts'

/** The emails about bookings; those to staff end so. */
export type BookingMail =
  | 'bookingRequested'
  | 'bookingWaiting'
  | 'bookingOffered'
  | 'bookingOfferEnds'
  | 'bookingConfirmed'
  | 'bookingDeclined'
  | 'bookingCancelled'
  | 'bookingExpired'
  | 'bookingReminder'
  | 'bookingMoved'
  | 'bookingEdited'
  | 'bookingChangeAsked'
  | 'bookingChangeOver'
  | 'bookingRequestedStaff'
  | 'bookingChangedStaff'
  | 'bookingUnansweredStaff'
  | 'bookingDoubtfulStaff'
  | 'bookingCrew'

/** What the templates are made from. */
type BookingMailDeps = {
  /** The day on which an email is written, in Helsinki where no zone is said. */
  dayFor: (mail: Mail, zone?: string) => string
  crew: Pick<CrewStore, 'of'>
  rules: () => BookingRules
  sheetUrl: (booking: Booking, person?: string) => string
  bookings: Pick<BookingStore, 'find' | 'doubtfulOf'>
  /** The configured sender and staff inbox. */
  mail: { from: string; staff: string }
  serviceTitle: (slug: string) => Promise<string>
  /** Absolute addresses of the signed pages. */
  visitorUrl: (booking: Booking) => string
  staffUrl: (booking: Booking) => string
  /**
   * The link that lets a waiting request on, absolute, and when it ends (milliseconds of the epoch); null
   * for one that waits no longer.
   */
  waitingLink: (booking: Booking) => { url: string; until: number } | null
  /** Days before the first one until which its visitor may still change it; null once that is over. */
  cutOffDays: (booking: Booking) => number | null
  billing: Pick<BookingBilling, 'missing' | 'of'>
  documents: BookingDocuments
  /** The client with an address. */
  clientOf: (email: string) => { name: string; panel: string } | null
}

/**
 * Makes the templates. Emails to a visitor repeat nothing that the visitor typed: whoever filled in
 * the form may not own the address. Staff get everything, with the link to decide.
 */
export function bookingMails(deps: BookingMailDeps): Record<BookingMail, MailTemplate> {
  const visitor = (
    write: (about: About) => MailContent,
    files: (about: About) => Promise<readonly Attachment[]> = async () => [],
  ): MailTemplate => ({
    keptDays: 'feature',
    render: (mail, brand) =>
      render(deps, mail, brand, async (about) =>
        toVisitor(deps, about, write(about), await files(about)),
      ),
  })
  const staff = (write: (about: About) => MailContent): MailTemplate => ({
    keptDays: 'feature',
    render: (mail, brand) =>
      render(deps, mail, brand, (about) => toStaff(deps, about, write(about))),
  })
  return {
    bookingRequested: visitor(requested),
    bookingWaiting: {
      keptDays: 'feature',
      render: (mail, brand) =>
        render(deps, mail, brand, (about) => {
          const { booking } = about
          const link = deps.waitingLink(booking)
          if (link === null) return { skip: 'the request is no longer waiting' }
          const to = { name: '', address: booking.email }
          return { to, message: mailMessage(brand, waiting(about, link)) }
        }),
    },
    bookingOffered: {
      keptDays: 'feature',
      render: (mail, brand) =>
        render(deps, mail, brand, async (about) =>
          (about.booking.offer?.madeAt ?? 0) > about.snapshot.changedAt
            ? { skip: 'another offer has taken its place' }
            : toVisitor(deps, about, offered(about), []),
        ),
    },
    bookingOfferEnds: {
      keptDays: 'feature',
      render: (mail, brand) =>
        render(deps, mail, brand, async (about) => {
          const { booking, snapshot } = about
          const isOver = booking.state !== 'offered' || booking.sequence !== snapshot.sequence
          return isOver
            ? { skip: 'the offer was answered' }
            : toVisitor(deps, about, offerEnds(about), [])
        }),
    },
    bookingConfirmed: visitor(
      (about) =>
        confirmed(about, {
          cutOffDays: deps.cutOffDays(about.booking),
          isBillingMissing: deps.billing.missing(about.booking).length > 0,
          deposit: depositIn(deps, about.booking),
        }),
      async ({ booking }) => (booking.agreement ? [await deps.documents.agreement(booking)] : []),
    ),
    bookingDeclined: visitor(declined),
    bookingCancelled: visitor(cancelled),
    bookingExpired: visitor(expired),
    bookingReminder: {
      keptDays: 'feature',
      render: (mail, brand) =>
        render(deps, mail, brand, async (about) => {
          // A booking begins by the clock of its own zone.
          const today = deps.dayFor(mail, about.booking.zone)
          const why = pastReminding(about, today)
          return why === null ? toVisitor(deps, about, reminder(about, today), []) : { skip: why }
        }),
    },
    bookingMoved: visitor(moved),
    bookingEdited: visitor(edited),
    bookingChangeAsked: visitor(changeAsked),
    bookingChangeOver: visitor(changeOver),
    bookingRequestedStaff: staff(requestedStaff),
    bookingChangedStaff: staff(changedStaff),
    bookingUnansweredStaff: {
      keptDays: 'feature',
      render: (mail, brand) =>
        render(deps, mail, brand, (about) =>
          about.booking.state === 'requested' || about.booking.change !== null
            ? toStaff(deps, about, unansweredStaff(about))
            : { skip: 'it was answered' },
        ),
    },
    bookingDoubtfulStaff: doubtfulMail(deps),
    bookingCrew: crewMail(deps),
  }
}

/** Why an email that looks ahead to a booking, and was held up on its way, has become wrong. */
function pastReminding({ booking, snapshot }: About, today: string): string | null {
  if (booking.state !== 'confirmed') return `the booking is ${booking.state}`
  if (booking.from !== snapshot.from) return 'it has other dates'
  return booking.from <= today ? 'its days have begun' : null
}

async function render(
  { bookings, serviceTitle }: BookingMailDeps,
  mail: Mail,
  brand: Brand,
  write: (about: About) => Rendered | Promise<Rendered>,
): Promise<Rendered> {
  const snapshot = mailData.parse(JSON.parse(mail.data ?? 'null'))
  const booking = bookings.find(snapshot.reference)
  if (!booking) return { skip: 'the booking is gone' }
  const service = await serviceTitle(booking.service)
  return write({ booking, snapshot, service, dates: datesOf(booking, snapshot), brand })
}

/** Dates and times in words, as they were when the email was queued. */
const datesOf = (booking: Booking, { from, to }: Snapshot): string =>
  datesInWords({ ...booking, from, to })

const occasionOf = ({ start, end, zone, unit }: Booking, snapshot: Snapshot): EntryFacts => ({
  ...snapshot,
  start,
  end,
  zone,
  unit,
})

/**
 * What is in an email to a visitor. Until it's confirmed, the mailbox may be someone else's, so
 * nothing is repeated that was typed into the form.
 */
function toVisitor(
  { mail, visitorUrl, billing }: BookingMailDeps,
  { booking, snapshot, service, dates, brand }: About,
  content: MailContent,
  attachments: readonly Attachment[],
): Rendered {
  const url = visitorUrl(booking)
  const { unit, agreement } = booking
  const staff = mailbox(mail.staff)
  const isAgreed = snapshot.state === 'confirmed'
  const isOpen = snapshot.state === 'requested' || snapshot.state === 'offered'
  const message: Message = {
    ...mailMessage(brand, {
      number: `Booking ${booking.reference}`,
      button: { label: snapshot.state === 'offered' ? 'See our offer' : 'See your booking', url },
      details: [
        ['Service', service],
        [isByDates(unit) ? 'Dates' : 'Start', dates],
        ...(isAgreed ? agreedFacts(booking) : []),
        ...(isAgreed ? [['Your contact', `${brand.name}, ${staff.address}`] as const] : []),
      ],
      more: [
        ...(isOpen || isAgreed ? priceTable(booking) : []),
        ...(isAgreed && agreement
          ? rulesInMail(agreement, { unit, invoices: billing.of(booking.reference) })
          : []),
        ...(snapshot.state === 'offered' ? offerRulesInMail(booking) : []),
      ],
      // Who had agreed on something may well be charged.
      small:
        isAgreed || snapshot.before === 'confirmed'
          ? 'Questions? Just reply to this email.'
          : 'Not you? Ignore this email. You won’t be charged.',
      ...content,
    }),
    replyTo: staff,
    ...(attachments.length > 0 && { attachments }),
  }
  const to = { name: '', address: booking.email }
  if (!isByDates(unit)) return { to, message }
  const entry = bookingEntry(occasionOf(booking, snapshot), brand, {
    summary: `${service} by ${brand.name}`,
    ...whereabouts(booking, snapshot.state, { email: staff.address }),
    url,
    organizer: { name: brand.name, address: staff.address },
    attendee: { name: '', address: booking.email },
  })
  return { to, message: { ...message, calendar: invitation(entry, brand) } }
}

/** The deposit that a confirmed booking still asks for, and how it can be paid. */
function depositIn(
  { billing, visitorUrl }: BookingMailDeps,
  booking: Booking,
): AskedDeposit | null {
  const percent = booking.agreement?.deposit ?? null
  if (percent === null) return null
  const invoiced = billing.of(booking.reference).find(({ part }) => part === 'deposit')
  if (!invoiced) return { percent, invoiced: null }
  const { open, dueOn, isPayableByCard } = invoiced
  const url = isPayableByCard ? `${visitorUrl(booking)}#documents-title` : null
  return open > 0 ? { percent, invoiced: { open, dueOn, payUrl: url } } : null
}

/** What a confirmed booking says of itself beside service and dates. */
const agreedFacts = ({
  unit,
  place,
  eventTitle,
  name,
  phone,
}: Booking): (readonly [string, string])[] =>
  (
    [
      ['Event', eventTitle],
      ['Place', place],
      [
        isByDates(unit) ? 'Contact on site' : 'Contact',
        [apart(name), phone].filter(Boolean).join(', '),
      ],
    ] as const
  ).flatMap(([label, value]) => (value ? [[label, value] as const] : []))

function toStaff(
  { mail, staffUrl, clientOf }: BookingMailDeps,
  { booking, snapshot, service, dates, brand }: About,
  content: MailContent,
): Rendered {
  const { reference, name, email, phone, company, place, eventTitle, unit, message } = booking
  const client = clientOf(email)
  const url = staffUrl(booking)
  const entry = bookingEntry(occasionOf(booking, snapshot), brand, {
    summary: `${service}: ${company ?? name}`,
    description: [`Booking ${reference}`, eventTitle, `${apart(name)}, ${phone ?? email}`]
      .filter(Boolean)
      .join('\n'),
    location: place,
    url,
    organizer: { name: brand.name, address: mailbox(mail.staff).address },
    attendee: { name: '', address: mailbox(mail.staff).address },
  })
  const { message: _, ...details } = detailLabels
  const { country, ...given } = bookingFacts(booking)
  const asked = { ...given, country: country && (countryName(country) ?? country) }
  const facts: [string, string | null][] = [
    ['Service', service],
    [isByDates(unit) ? 'Dates' : 'Start', dates],
    ...Object.entries(details).map(([field, label]): [string, string | null] => [
      label,
      asked[field as keyof typeof details],
    ]),
    ['Spam check', booking.proven ? 'passed' : 'not passed, review'],
  ]
  return {
    to: mailbox(mail.staff),
    message: {
      ...mailMessage(brand, {
        number: `Booking ${reference}`,
        button: { label: 'Open the booking', url },
        details: [
          ...facts.flatMap(([label, value]) => (value ? [[label, value] as const] : [])),
          ...(client
            ? [
                [
                  'Client',
                  html`<a href="${brand.siteUrl + paths.deskThing('clients', client.panel)}"
                    >${client.name}</a
                  >`,
                ] as const,
              ]
            : []),
        ],
        more: [...priceTable(booking), ...(message ? paragraphs(message) : [])],
        small: `${email ? 'Reply to this email to answer the client.' : 'The client has no email address, so please call.'} On the command line: pitlane bookings show ${reference}`,
        ...content,
      }),
      ...(email && { replyTo: { name, address: email } }),
      ...(isByDates(unit) && { calendar: invitation(entry, brand) }),
    },
  }
}
