import { townLine } from '#shared/shop/address-rules.ts'
import { countryName } from '#shared/shop/countries.ts'
import { cancellationInWords, partOf } from '#shared/bookings/cancellation.ts'
import { datesInWords } from '#shared/bookings/dates-in-words.ts'
import { countInWords, priceInWords, totalOf, type BookingLine } from '#shared/bookings/price.ts'
import { dateAt, datesFrom } from '#shared/dates/civil-dates.ts'
import { dateRange } from '#shared/dates/date-format.ts'
import { failure } from '#shared/failures.ts'
import { officeTime } from '#shared/dates/helsinki-time.ts'
import { euros, sum } from '#shared/money.ts'
import { isByDates, type SaleUnit } from '#shared/bookings/sale-units.ts'
import { cityOf } from '#shared/dates/zones.ts'
import type { Attachment } from '../mail/message.ts'
import type { BookingBilling } from './acts/ending.ts'
import type { BookingRules } from './days/rules.ts'
import { billingOf, type Agreement, type Booking } from './schema.ts'
import type { CrewStore } from './store/crew-store.ts'

/** An invoice of a booking. */
type BookingDocument = ReturnType<BookingBilling['of']>[number]

/** What of a booking is printed: its agreement for the client, its call sheet for the crew. */
export type BookingDocuments = ReturnType<typeof bookingDocuments>

/** What a call sheet says, on its page and on paper alike; nothing of it is about money. */
export type CallSheet = Parameters<BookingBilling['sheetPdf']>[0]

/** Creates the documents of bookings. */
export function bookingDocuments({
  clock,
  billing,
  crew,
  rules,
  serviceTitle,
}: {
  clock: () => number
  billing: Pick<BookingBilling, 'of' | 'pdf' | 'sheetPdf' | 'seller'>
  crew: Pick<CrewStore, 'of'>
  rules: () => BookingRules
  serviceTitle: (slug: string) => Promise<string>
}) {
  const sheet = async (booking: Booking): Promise<CallSheet> => {
    const { reference, state, place, eventTitle, name, company, phone, email } = booking
    const members = new Map(rules().crew.map((member) => [member.name, member]))
    const facts: [string, string | null][] = [
      ['Booking', `${reference}, ${state}`],
      ['When', datesInWords(booking)],
      ['Place', place],
      ['Event', eventTitle],
      ['Contact', [name, company].filter(Boolean).join(', ')],
      ['Phone', phone],
      ['Email', email],
    ]
    const notes: [string, string | null][] = [
      ['Note', booking.note],
      ['From the client', booking.message],
      ['Scope', booking.scope],
    ]
    return {
      reference,
      service: await serviceTitle(booking.service),
      date: dateAt(clock()),
      facts: named(facts),
      days: isByDates(booking.unit) ? daysOnSite(booking) : [],
      crew: crew.of(booking).map((person) => [person, members.get(person)?.phone ?? '']),
      notes: named(notes),
    }
  }

  return {
    /** What was agreed with a booking, as a tagged PDF. @throws missing where nothing is agreed */
    async agreement(booking: Booking): Promise<Attachment> {
      const { reference, agreement } = booking
      if (!agreement) {
        throw failure('missing', { message: `Nothing has been agreed for booking ${reference}.` })
      }
      const [service, seller] = await Promise.all([serviceTitle(booking.service), billing.seller()])
      const { from, to, lines } = agreement
      const { net, vat, gross } = totalOf(lines)
      const content = await billing.pdf({
        reference,
        date: dateAt(agreement.agreedAt),
        customer: customerOf(booking),
        facts: named([
          ['Service', service],
          [isByDates(booking.unit) ? 'Dates' : 'Start', datesInWords({ ...booking, from, to })],
          ['Place', booking.place],
          ['Event', booking.eventTitle],
          ['Scope', booking.scope],
          [
            isByDates(booking.unit) ? 'On site' : 'Contact',
            [booking.name, booking.phone].filter(Boolean).join(', '),
          ],
        ]),
        lines: lines.map((line) => ({
          text: nameOf(line),
          net: euros(line.net),
          vat: `${line.rate} %`,
          gross: euros(line.gross),
        })),
        total: { net: euros(net), vat: euros(vat), gross: euros(gross) },
        rules: [
          ...travelRule(booking, agreement),
          ...agreedRules(agreement, { unit: booking.unit, invoices: billing.of(reference) }),
        ],
        agreed: [
          ...howAgreed(booking, agreement, seller.name),
          ...changedBilling(booking, agreement),
        ],
      })
      return { filename: `booking-${reference}.pdf`, contentType: 'application/pdf', content }
    },

    /** What the crew has to know on the day. */
    sheet,

    /** The call sheet as a tagged PDF. */
    async sheetFile(booking: Booking): Promise<Attachment> {
      const content = await billing.sheetPdf(await sheet(booking))
      const filename = `call-sheet-${booking.reference}.pdf`
      return { filename, contentType: 'application/pdf', content }
    },
  }
}

/** A line of the price with how much of it there is. */
export const nameOf = (line: BookingLine): string => {
  const count = countInWords(line)
  return count ? `${line.text}, ${count}` : line.text
}

/** What is asked for at confirmation, in a sentence; nothing without a deposit. @param percent of the price */
export function depositRule(percent: number | null, lines: readonly BookingLine[]): string[] {
  if (percent === null) return []
  const { vat, gross } = partOf(totalOf(lines), percent)
  const amount = `${euros(gross)}${vat === 0 ? '' : ' incl. VAT'}`
  return [`A deposit of ${percent} %, ${amount}, is invoiced at confirmation.`]
}

const standing = (invoices: readonly BookingDocument[]): BookingDocument[] =>
  invoices.filter(({ state }) => state !== 'cancelled' && state !== 'expired')

/** What was asked for as a deposit so far, in cents. */
const askedAsDeposit = (invoices: readonly BookingDocument[]): number =>
  sum(
    standing(invoices)
      .filter(({ part }) => part === 'deposit')
      .map(({ total, credited }) => total - credited),
  )

/** What has become of the deposit that was agreed: before there is an invoice, that there will be one. */
export function depositNow(
  { deposit, lines }: Agreement,
  invoices: readonly BookingDocument[],
): string[] {
  const issued = standing(invoices)
  if (issued.length === 0) return depositRule(deposit, lines)
  const asked = askedAsDeposit(invoices)
  if (asked <= 0) return []
  const isPaid = issued.every(({ part, open }) => part !== 'deposit' || open === 0)
  const amount = `${euros(asked)}${totalOf(lines).vat === 0 ? '' : ' incl. VAT'}`
  return [
    `A deposit of ${amount} has been invoiced${isPaid ? ' and paid' : ''}; it counts towards this price.`,
  ]
}

/** The deposit as it was agreed, unless another one was invoiced than the rule makes of the price by now. */
function depositAgreed(agreement: Agreement, invoices: readonly BookingDocument[]): string[] {
  const { deposit, lines } = agreement
  const asked = askedAsDeposit(invoices)
  const isAnother = deposit !== null && asked > 0 && asked !== partOf(totalOf(lines), deposit).gross
  return isAnother ? depositNow(agreement, invoices) : depositRule(deposit, lines)
}

/**
 * The rules of payment and cancelling that were agreed, a sentence each.
 * @param about `invoices` of the booking: other dates change its price, and no deposit that was asked for;
 *   `deposit` what is said of that, if not as it was agreed
 */
export const agreedRules = (
  agreement: Agreement,
  {
    unit,
    invoices,
    deposit,
  }: { unit: SaleUnit; invoices: readonly BookingDocument[]; deposit?: readonly string[] },
): string[] => [
  ...(agreement.lines.length > 0
    ? [`The price is ${priceInWords(totalOf(agreement.lines))}.`]
    : []),
  ...(deposit ?? depositAgreed(agreement, invoices)),
  ...cancellationInWords(agreement.cancellation, unit),
  `The terms of service, version ${agreement.termsVersion}, apply.`,
]

/** Travel that isn't a line of the price costs nothing. */
const travelRule = ({ unit }: Booking, { lines }: Agreement): string[] =>
  isByDates(unit) && lines.every(({ kind }) => kind !== 'travel')
    ? ['No travel costs are added to this price.']
    : []

/** The other party, a line each. */
const customerOf = (booking: Booking): string[] => {
  const billed = billingOf(booking)
  const { company, name, street, country, vatId } = billed
  return [
    company,
    name,
    street,
    townLine(billed),
    country && (countryName(country) ?? country),
    vatId && `VAT ID ${vatId}`,
    booking.email,
    booking.phone,
  ].filter((line): line is string => Boolean(line))
}

/** When it was agreed, how and by whom. */
function howAgreed(
  { name, requestedAt, offer }: Booking,
  { agreedAt, way, by }: Agreement,
  seller: string,
): string[] {
  const at = officeTime(agreedAt)
  if (way === 'by-phone')
    return [`Agreed with ${name} by phone and confirmed by ${seller} on ${at}.`]
  return way === 'accepted' && offer
    ? [`Offered by ${seller} on ${officeTime(offer.madeAt)}.`, `Accepted by ${by} on ${at}.`]
    : [`Requested by ${name} on ${officeTime(requestedAt)}.`, `Confirmed by ${seller} on ${at}.`]
}

/** VAT follows whom we invoice, which a customer can still say after the agreement. */
const changedBilling = (booking: Booking, { billing, billedAt }: Agreement): string[] =>
  billedAt === undefined && JSON.stringify(billing) === JSON.stringify(billingOf(booking))
    ? []
    : ['The billing details were completed after that; VAT follows them.']

/** The hours of each day on site; a night belongs to the day on which it begins. */
function daysOnSite({ from, to, start, end, zone }: Booking): [string, string][] {
  const isNight = start !== null && end !== null && end <= start
  const days = datesFrom(from, to)
  const hours = start
    ? `${end ? `${start}–${end}${isNight ? ' the next day' : ''}` : `from ${start}`} (${cityOf(zone)})`
    : 'times to be agreed'
  return (isNight && days.length > 1 ? days.slice(0, -1) : days).map((day) => [
    dateRange(day, day),
    hours,
  ])
}

const named = (
  rows: readonly (readonly [string, string | null])[],
): (readonly [string, string])[] =>
  rows.flatMap(([label, value]) => (value ? [[label, value] as const] : []))
