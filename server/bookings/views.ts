import type {
  Availability,
  BookableService,
  BookingDocumentView,
  BookingForm,
  BookingView,
  DateRange,
} from '#shared/bookings/bookings.ts'
import type { DaysToMove } from '#shared/bookings/visitor-page.ts'
import { bookingLimits } from '#shared/bookings/limits.ts'
import { isMonth, lastDayOf, monthOf } from '#shared/dates/months.ts'
import type { CancelReason, StaffBookingView } from '#shared/bookings/staff-page.ts'
import { addDays, dateAt, daysBetween, officeZone } from '#shared/dates/civil-dates.ts'
import { dueIfCancelled, settlementInWords, type BookingBilling } from './acts/ending.ts'
import { billable, countries } from './countries.ts'
import { availableDays, bounds, readServiceDays } from './days/availability.ts'
import { daysWithout } from './days/occupation.ts'
import {
  conditionsOf,
  depositOf,
  isOpenTo,
  isPossible,
  isTaken,
  openToVisitor,
  stageOf,
} from './acts/changes.ts'
import { conflictsOf, spareCapacity } from './days/conflicts.ts'
import { fieldProblem, type BookingDeps } from './acts/checks.ts'
import { longDate } from '#shared/dates/date-format.ts'
import { bookingFacts } from '#shared/bookings/facts.ts'
import type { Booking } from './schema.ts'
import { cancellationInWords } from '#shared/bookings/cancellation.ts'
import { priceOn, totalOf } from '#shared/bookings/price.ts'
import { isByDates } from '#shared/bookings/sale-units.ts'
import type { VatCheck } from '#shared/shop/vat-check.ts'
import { waitOf } from './acts/shares.ts'
import { staleLines } from './acts/own-lines.ts'
import { undoableUntil } from './acts/undo.ts'

/** An event of the calendar that the form may be opened for. */
export type BookableEvent = NonNullable<BookingForm['event']>

function iso(at: number): string
function iso(at: number | null): string | null
function iso(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}

/** What the views are made from. */
export type BookingViewDeps = {
  deps: BookingDeps
  event: (id: string) => Promise<BookableEvent | null>
  eventTitle: (id: string) => Promise<string | null>
  isEventOff: (id: string) => Promise<boolean>
  services: () => Promise<readonly BookableService[]>
  service: (slug: string) => Promise<BookableService>
  serviceTitle: (slug: string) => Promise<string>
  billing: BookingBilling
}

/** Who counts as cancelling when a visitor does: the organiser, if the event was cancelled. */
export const visitorCancelReason = async (
  { eventId }: Booking,
  { isEventOff }: Pick<BookingViewDeps, 'isEventOff'>,
): Promise<CancelReason> =>
  eventId !== null && (await isEventOff(eventId)) ? 'organiser' : 'customer'

/** Why VAT is charged to a company with a VAT ID, from the register's answer. */
const vatProblems: Readonly<Record<VatCheck['state'], string | null>> = {
  yes: null,
  no: 'VIES, the EU’s VAT register, doesn’t list this number, so VAT is charged. Your tax office can tell you why.',
  down: 'VIES, the EU’s VAT register, didn’t respond, so VAT is charged. Save your billing details again to have it checked.',
}

/** What VIES said of a booking's VAT ID, and what follows from it, for staff; null where it wasn't asked. */
export function viesInWords({ vatCheck }: Pick<Booking, 'vatCheck'>): string | null {
  if (!vatCheck) return null
  const { state, at, consultation } = vatCheck
  const day = longDate(dateAt(at))
  if (state === 'no') return `Doesn’t list it (${day}): VAT is charged, and invoices leave it out`
  if (state === 'down') {
    return `Didn’t respond (${day}), so VAT is charged. Saving the billing details again asks once more`
  }
  return [`Lists it (${day})`, consultation && `consultation ${consultation}`]
    .filter(Boolean)
    .join(', ')
}

/** The views of bookings, and of what can be booked. */
export function bookingViews({
  deps,
  event,
  isEventOff,
  services,
  service,
  serviceTitle,
  billing,
}: BookingViewDeps) {
  const { rules, clock, days, shares } = deps

  const waitsOf = (booking: Booking): BookingView['waits'] => {
    const wait = waitOf(shares, booking)
    return wait && { for: wait.for, until: new Date(wait.until).toISOString() }
  }

  /** The conditions of the offer. */
  const rulesOf = (booking: Booking) => {
    const shown = conditionsOf(deps, booking)
    return {
      cancellation: cancellationInWords(shown.cancellation, booking.unit),
      deposit: depositOf(shown, booking.lines),
    }
  }

  /** Its price, offer, agreement and requested date change. */
  const moneyOf = (
    booking: Booking,
  ): Pick<BookingView, 'lines' | 'total' | 'travelQuoted' | 'offer' | 'agreement' | 'change'> => {
    const { unit, lines, agreement, offer, change } = booking
    return {
      lines,
      total: totalOf(lines),
      travelQuoted: isByDates(unit) && !agreement && !offer,
      offer: offer && {
        id: offer.madeAt.toString(36),
        validUntil: iso(offer.validUntil),
        note: offer.note,
        asked: offer.asked,
        termsVersion: booking.termsVersion ?? deps.terms.current().version,
        ...rulesOf(booking),
      },
      agreement: agreement && {
        agreedAt: iso(agreement.agreedAt),
        termsVersion: agreement.termsVersion,
        cancellation: cancellationInWords(agreement.cancellation, unit),
        deposit: agreement.deposit,
      },
      change: change && {
        from: change.from,
        to: change.to,
        heldUntil: iso(change.heldUntil),
        price: priceOn(lines, change, booking),
      },
    }
  }

  const visitorActs = (booking: Booking, because: CancelReason): BookingView['acts'] => {
    return {
      ...openToVisitor(booking, rules().cutOffDays, clock()),
      accept: isPossible('accept', booking.state) && clock() < (booking.offer?.validUntil ?? 0),
      billing:
        booking.fee !== null ||
        (isPossible('bill', booking.state) && booking.state !== 'quarantined'),
      cancelling: booking.state === 'confirmed' ? consequence(booking, because) : [],
      due: dueIfCancelled(booking, because, clock()).gross,
    }
  }

  /** What cancelling now would cost and settle, in sentences. */
  const consequence = (booking: Booking, because: CancelReason): string[] =>
    settlementInWords(billing.settlementOf(booking, dueIfCancelled(booking, because, clock())))

  /** The invoices of a booking, for those with full access. */
  const documentsOf = ({ reference }: Booking): BookingDocumentView[] =>
    billing.of(reference).map((document) => ({
      order: document.order,
      part: document.part,
      isTravel: document.isTravel,
      invoice: document.invoice,
      total: document.total,
      credited: document.credited,
      open: document.open,
      charges: document.charges,
      paidBy: document.paidBy,
      isPayableByCard: document.isPayableByCard,
      state: stateForVisitors(document.state),
      dueOn: document.dueOn,
      url: document.url,
    }))

  const view = async (booking: Booking): Promise<BookingView> => ({
    reference: booking.reference,
    // To the visitor it's a request; `waits` says why it holds nothing.
    state: booking.state === 'quarantined' ? 'requested' : booking.state,
    service: { slug: booking.service, title: await serviceTitle(booking.service) },
    unit: booking.unit,
    ...bookingFacts(booking),
    ...moneyOf(booking),
    address: {
      street: booking.street,
      postcode: booking.postcode,
      city: booking.city,
      region: booking.region,
    },
    vatProblem: booking.vatCheck && vatProblems[booking.vatCheck.state],
    missing: booking.state === 'confirmed' || booking.fee ? billing.missing(booking) : [],
    countries: booking.fee || isPossible('bill', booking.state) ? billable() : [],
    documents: documentsOf(booking),
    fee: booking.fee,
    answer: booking.answer,
    heldUntil: iso(booking.heldUntil),
    isEmailed: booking.mails && isTaken(booking.state),
    waits: waitsOf(booking),
    withdrawnAt: iso(
      billing.withdrawalsOf(booking).find(({ isOver }) => !isOver)?.receivedAt ?? null,
    ),
    stage: stageOf(booking, clock()),
    requestedAt: iso(booking.requestedAt),
    acts: visitorActs(booking, await visitorCancelReason(booking, { isEventOff })),
  })

  return {
    viesInWords,

    /**
     * The availability of a service by day.
     * @throws invalid for an unknown service or one that holds no days, a range turned round or one of
     *   more than 100 days
     */
    async availability({
      service: slug,
      from,
      to,
    }: { service: string } & DateRange): Promise<Availability> {
      if (!rules().services[slug]) throw fieldProblem('service', 'Unknown service')
      if (!isByDates((await service(slug)).unit)) {
        throw fieldProblem('service', 'This service isn’t booked by the day')
      }
      if (to < from) throw fieldProblem('to', 'The range ends before it begins')
      const max = bookingLimits.maxAvailabilityDays
      if (daysBetween(from, to) >= max) {
        throw fieldProblem('to', `Please ask for ${max} days at most`)
      }
      const [inForce, now] = [rules(), clock()]
      const read = readServiceDays({ rules: inForce, days, service: slug, from, to, now })
      return {
        success: true,
        zone: officeZone,
        service: slug,
        days: availableDays(read, { from, to }),
      }
    },

    /**
     * The availability of a month for a date change; the booking's own days count as free.
     * @param asked YYYY-MM; the month of the booking where it is none, and the nearest that can be
     *   booked
     */
    daysToMove(booking: Booking, asked: string | undefined): DaysToMove {
      const [inForce, now] = [rules(), clock()]
      const limits = bounds(inForce, now)
      const [first, last] = [monthOf(limits.today), monthOf(limits.latest)]
      const wanted = isMonth(asked) ? asked : monthOf(booking.from)
      const month = wanted < first ? first : wanted > last ? last : wanted
      const [from, to] = [`${month}-01`, lastDayOf(month)]
      const others = daysWithout(days, booking)
      const { service: slug } = booking
      const read = readServiceDays({ rules: inForce, days: others, service: slug, from, to, now })
      return { ...limits, month, days: availableDays(read, { from, to }) }
    },

    /** The data of the form; `event` is the one it was opened for. */
    async form(eventId: string | undefined): Promise<BookingForm> {
      const inForce = rules()
      const [offered, opened] = await Promise.all([services(), eventId ? event(eventId) : null])
      return {
        services: offered.filter(({ slug }) => inForce.services[slug]),
        ...bounds(inForce, clock()),
        holdHours: inForce.holdHours,
        cutOffDays: inForce.cutOffDays,
        countries: countries(),
        cancellation: cancellationInWords(inForce.cancellation),
        projectCancellation: cancellationInWords(inForce.cancellation, 'project'),
        deposit: inForce.deposit,
        noticeHours: inForce.noticeHours,
        event: opened,
      }
    },

    /** A booking as its visitor sees it. */
    view,

    /** A booking as staff see it. */
    async staffView(booking: Booking): Promise<StaffBookingView> {
      const { state, sequence } = booking
      const can = (act: 'confirm' | 'offer' | 'decline') => isOpenTo(act, booking)
      return {
        ...(await view(booking)),
        state,
        sequence,
        staleLines: booking.change && staleLines(booking, booking.change),
        undoUntil: iso(undoableUntil(booking, billing, clock())),
        note: booking.note,
        crew: deps.crew.of(booking),
        conflicts: can('confirm') || can('offer') ? conflictsOf(deps, booking) : [],
        can: {
          confirm: can('confirm'),
          offer: can('offer'),
          decline: can('decline'),
          cancel: state === 'confirmed',
        },
        cancellingBecause: {
          customer: consequence(booking, 'customer'),
          organiser: consequence(booking, 'organiser'),
          us: consequence(booking, 'us'),
        },
        offerUntil: addDays(dateAt(clock()), rules().offerDays),
      }
    },

    /** What cancelling a booking now costs and settles, in sentences. */
    consequence,

    /** What would conflict with confirming a booking now, one line each. */
    conflicts: (booking: Booking) => conflictsOf(deps, booking),

    /**
     * How many more bookings of its service fit beside a booking (see {@link spareCapacity}); null once
     * its last day is over.
     */
    beside: (booking: Booking) =>
      booking.to < dateAt(clock()) ? null : spareCapacity(deps, booking),

    /** The deposit due when a request is confirmed, in per cent; null for none. */
    depositFor: (booking: Booking) => depositOf(conditionsOf(deps, booking), booking.lines),
  }
}

/** What the state of an invoice's order is to those who pay it. */
function stateForVisitors(
  state: ReturnType<BookingBilling['of']>[number]['state'],
): BookingDocumentView['state'] {
  switch (state) {
    case 'paid':
    case 'shipped':
      return 'paid'
    case 'refunded':
    case 'attention':
      return 'refunded'
    case 'open':
    case 'pending':
      return 'open'
    default:
      return 'cancelled'
  }
}
