import { townLine } from '#shared/shop/address-rules.ts'
import { bookingFacts } from '#shared/bookings/facts.ts'
import { datesInWords } from '#shared/bookings/dates-in-words.ts'
import { priceInWords, totalInWords } from '#shared/bookings/price.ts'
import type { StaffBookingView } from '#shared/bookings/staff-page.ts'
import { detailLabels } from '#shared/bookings/bookings.ts'
import { dateAt } from '#shared/dates/civil-dates.ts'
import { dateRange, longDate } from '#shared/dates/date-format.ts'
import { payableUntil } from '#shared/dates/due-dates.ts'
import { minuteMs } from '#shared/dates/durations.ts'
import type { DeskLine } from '#shared/desk/lines.ts'
import { deskPersonPath } from '#shared/desk/people.ts'
import type { DeskFact } from '#shared/desk/things.ts'
import { officeTime } from '#shared/dates/helsinki-time.ts'
import { euros, sum } from '#shared/money.ts'
import { paths } from '#shared/paths.ts'
import { isByDates } from '#shared/bookings/sale-units.ts'
import type { BookingActions } from './acts/acts.ts'
import { waitWords } from './acts/shares.ts'
import { countries } from './countries.ts'
import { nameOf } from './documents.ts'
import type { Booking } from './schema.ts'
import { viesInWords } from './views.ts'
import { isoOf } from '../contributions/desk-source.ts'

/** A booking at the desk: as it is kept, and as staff see it. */
export type Shown = { booking: Booking; view: StaffBookingView }

/** What is told of a booking at the desk, in the order in which staff ask. */
export function factsOf(
  { booking, view }: Shown,
  actions: Pick<BookingActions, 'billing' | 'visitorUrl' | 'sheetUrl' | 'beside'>,
): DeskFact[] {
  const { state, unit, change, offer, agreement, heldUntil } = booking
  const { message, email, country, event, ...details } = bookingFacts(booking)
  const visitorPage = new URL(actions.visitorUrl(booking)).pathname
  const detail = (field: keyof typeof details & keyof typeof detailLabels) =>
    [detailLabels[field], details[field]] as const
  const facts: (readonly [name: string, text: string | null, href?: string | null])[] = [
    ['State', state],
    ['Service', view.service.title],
    [isByDates(unit) ? 'Dates' : 'Start', datesInWords(booking)],
    ['Asks for', change && dateRange(change.from, change.to)],
    ['Held until', endOf(change?.heldUntil ?? (state === 'requested' ? heldUntil : null))],
    // As its client reads it: the last minute of a day.
    ['Offer ends', state === 'offered' && offer ? endOf(offer.validUntil - minuteMs) : null],
    ['Waits for', view.waits && `${waitWords[view.waits.for]}, until ${endOf(view.waits.until)}`],
    detail('place'),
    ['Event', event, booking.eventId && paths.calendarEvent(booking.eventId)],
    detail('name'),
    detail('company'),
    ['Email', email || null, deskPersonPath(email)],
    detail('phone'),
    ['Country', countries().find(({ code }) => code === country)?.name ?? country],
    detail('vatId'),
    ['VIES', viesInWords(booking)],
    ['Address', addressOf(booking)],
    detail('scope'),
    detail('budget'),
    ['Message', message],
    ...(isLive(booking) ? liveFacts(booking, view, actions.beside(booking)) : []),
    ...moneyFacts({ booking, view }, actions),
    ['Agreed', agreement && `${officeTime(agreement.agreedAt)}, ${ways[agreement.way]}`],
    ['Our answer', booking.answer],
    ['Internal note', booking.note],
    ['Requested', officeTime(booking.requestedAt)],
    ['Spam check', booking.proven ? null : 'not passed, review'],
    ['Emails', booking.mails ? null : 'none; call the client'],
    ['Client’s page', 'Open as the client', visitorPage],
    ['Agreement', agreement && 'Open the PDF', paths.bookingAgreement(visitorPage)],
    [
      'Call sheet',
      state === 'confirmed' ? 'Open' : null,
      new URL(actions.sheetUrl(booking)).pathname,
    ],
  ]
  return facts.flatMap(([name, text, href = null]) => (text ? [{ name, text, href }] : []))
}

const ways = {
  confirmed: 'as requested',
  accepted: 'by accepting the offer',
  'by-phone': 'by phone',
} as const

/** Whether a booking holds or has days, or still can. */
export const isLive = ({ state }: Booking): boolean =>
  ['requested', 'offered', 'confirmed', 'quarantined'].includes(state)

const endOf = (at: number | string | null): string | null =>
  at === null ? null : officeTime(typeof at === 'string' ? Date.parse(at) : at)

const addressOf = (booking: Booking): string | null =>
  [booking.street, townLine(booking)].filter(Boolean).join(', ') || null

/** Who works on it, and whether it fits. */
const liveFacts = (
  booking: Booking,
  { crew }: StaffBookingView,
  beside: number | null,
): (readonly [string, string | null])[] => [
  ['Crew', crew.join(', ') || 'not assigned yet'],
  ['Coverage', beside === null ? null : coverage(booking, beside)],
]

/** What is left of its service on the fullest of its days, in words. */
function coverage({ state, from, to }: Booking, beside: number): string {
  if (beside < 0) return 'no slot free for it'
  if (beside === 0) return state === 'confirmed' ? 'full with this booking' : 'the last slot'
  const days = from === to ? '' : ' on each day'
  return `${beside} more ${beside === 1 ? 'slot' : 'slots'} free${days}`
}

/** The price, and what is invoiced and paid of it: what a form promises about money hangs on these. */
function moneyFacts(
  { booking, view }: Shown,
  { billing }: Pick<BookingActions, 'billing'>,
): (readonly [string, string | null])[] {
  const { lines } = booking
  const standing = billing
    .of(booking.reference)
    .filter(({ state }) => state !== 'cancelled' && state !== 'expired')
  const added = (amounts: number[]) => euros(sum(amounts))
  const open = sum(standing.map((each) => each.open))
  return [
    ['Price', lines.length > 0 ? totalInWords(booking) : 'none yet'],
    [
      'Invoiced',
      standing.length > 0 ? added(standing.map(({ total, credited }) => total - credited)) : null,
    ],
    ['Paid', standing.length > 0 ? added(standing.map(({ paid }) => paid)) : null],
    ['Open', open > 0 ? euros(open) : null],
    [
      booking.fee?.isTravel ? 'Travel costs' : 'Cancellation fee',
      booking.fee && `${priceInWords(booking.fee)}, not invoiced yet`,
    ],
    ['Invoice needs', view.missing.map((field) => fieldWords[field] ?? field).join(', ') || null],
  ]
}

const fieldWords: Readonly<Record<string, string>> = {
  country: 'country',
  street: 'street',
  postcode: 'postal code',
  city: 'town',
  region: 'state or province',
}

/** Its price, a line each, net first, and the sum of them. */
export function priceLines(booking: Booking): DeskLine[] {
  const { lines } = booking
  const line = (label: string, title: string, detail: string) => ({
    ...plain,
    label,
    title,
    detail,
  })
  if (lines.length === 0) return []
  return [
    ...lines.map((each) => line(kinds[each.kind], nameOf(each), priceInWords(each))),
    line('Total', totalInWords(booking), 'all lines'),
  ]
}

/** What the price of a booking is called as things stand. */
export const priceTitle = ({ state, agreement }: Booking): string => {
  if (state === 'offered') return 'Offered price'
  return agreement ? 'Agreed price' : 'Price as requested'
}

const kinds = { service: 'Work', travel: 'Travel', extra: 'Extra', discount: 'Discount' } as const

const parts = {
  whole: 'Invoice',
  deposit: 'Deposit',
  lines: 'Part',
  rest: 'Balance',
  fee: 'Fee',
} as const

const plain = { urgent: false, at: null, href: null }

/** Its invoices with what was paid; each leads to its order at the desk. */
export const documentLines = (
  documents: ReturnType<BookingActions['billing']['of']>,
  now: number,
): DeskLine[] =>
  documents.map(
    ({ order, part, isTravel, invoice, total, credited, paid, paidBy, open, dueOn, state }) => {
      const isLate = open > 0 && dueOn !== null && payableUntil(dueOn) < dateAt(now)
      return {
        ...plain,
        label: isTravel ? 'Travel' : parts[part],
        title: invoice === null ? `Order ${order}` : `Invoice ${invoice}, order ${order}`,
        detail: [
          `${euros(total)} incl. VAT`,
          credited > 0 && `${euros(credited)} credited`,
          paid > 0 && `${euros(paid)} paid${paidBy ? ` by ${paidBy}` : ''}`,
          open > 0 && `${euros(open)} open`,
          open > 0 && dueOn && `due ${longDate(dueOn)}`,
          state,
        ]
          .filter(Boolean)
          .join(' · '),
        urgent: isLate,
        href: paths.deskThing('orders', order),
      }
    },
  )

/** The withdrawals from it; one that names an invoice is dealt with at that one's order. */
export const withdrawalLines = (
  withdrawals: ReturnType<BookingActions['billing']['withdrawalsOf']>,
): DeskLine[] =>
  withdrawals.map(({ id, receivedAt, order, stage, todo, isOver }) => ({
    label: 'Withdrawal',
    title: order === null ? String(id) : `${id}: order ${order}`,
    detail: [stage, todo].filter(Boolean).join(' · '),
    urgent: !isOver,
    at: isoOf(receivedAt),
    href: order === null ? null : paths.deskThing('orders', order),
  }))

/** What conflicts with it, a line each. */
export const conflictLines = (conflicts: readonly string[]): DeskLine[] =>
  conflicts.map((conflict) => ({
    ...plain,
    label: 'Conflict',
    title: conflict,
    detail: '',
    urgent: true,
  }))
