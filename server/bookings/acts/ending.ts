import { partOf, shareDue } from '#shared/bookings/cancellation.ts'
import {
  feeInWords,
  totalOf,
  type BookingTotal,
  type CancellationFee,
} from '#shared/bookings/price.ts'
import type { CancelReason } from '#shared/bookings/staff-page.ts'
import { dateAt, daysBetween } from '#shared/dates/civil-dates.ts'
import { failure } from '#shared/failures.ts'
import { euros, grossOf, sum } from '#shared/money.ts'
import type { OrderFeature } from '../../orders/feature.ts'
import type { Booking } from '../schema.ts'

/** What bookings need from orders: their invoices, and settling them. */
export type BookingBilling = OrderFeature['ofBookings']

/**
 * What a change needs besides the booking: the seller, for documents, and the reason for cancelling, with
 * the net cents of travel that are lost where staff name them.
 */
export type Doing = {
  seller: Awaited<ReturnType<BookingBilling['seller']>>
  because: CancelReason
  travel?: number | undefined
}

/** The settlement of an ended booking. */
export type Settlement = ReturnType<BookingBilling['settlementOf']>

const nothing: BookingTotal = { net: 0, vat: 0, gross: 0 }

/**
 * The fee for cancelling a booking under its agreed conditions: a share that depends on the days left
 * if the customer cancels, only travel if the organiser does, nothing if we do.
 * @param now milliseconds of the epoch
 * @param travel net cents of travel that we can't get back; undefined for all that was agreed
 * @throws invalid for more travel than was agreed, or for travel without an organiser who cancels
 */
export function dueIfCancelled(
  { state, agreement, lines, from }: Booking,
  because: CancelReason,
  now: number,
  travel?: number,
): CancellationFee {
  if (travel !== undefined && because !== 'organiser') {
    throw travelProblem('Travel costs are only due when the organiser cancels')
  }
  if (state !== 'confirmed' || !agreement || because === 'us') return nothing
  if (because === 'organiser') {
    return {
      ...travelLost(
        lines.filter(({ kind }) => kind === 'travel'),
        travel,
      ),
      isTravel: true,
    }
  }
  const percent = shareDue(agreement.cancellation, daysBetween(dateAt(now), from))
  return partOf(totalOf(lines), percent)
}

/** The part of the agreed travel that is lost. @param net cents; undefined for all of it */
function travelLost(agreed: Booking['lines'], net: number | undefined): BookingTotal {
  const all = totalOf(agreed)
  if (net === undefined || net === all.net) return all
  if (net > all.net) {
    throw travelProblem(
      all.net === 0 ? 'No travel was agreed' : `No more than the agreed ${euros(all.net)} + VAT`,
    )
  }
  const gross = grossOf(net, agreed[0]!.rate)
  return { net, vat: gross - net, gross }
}

const travelProblem = (message: string) => failure('invalid', { errors: { travel: message } })

/**
 * A settlement in sentences, for the customer and for staff.
 * @param isTravelKnown whether the travel costs are those that are lost in the end
 */
export function settlementInWords(
  { fee, feeWaits, covered, credited, paidBack }: Settlement,
  { isTravelKnown = false }: { isTravelKnown?: boolean } = {},
): string[] {
  const back = sum(paidBack.map(({ amount }) => amount))
  const numbers = credited.flatMap(({ invoice }) => (invoice === null ? [] : [String(invoice)]))
  return [
    fee ? feeInWords(fee) : 'There’s nothing to pay.',
    ...(fee?.isTravel && !isTravelKnown
      ? ['If we get any of that back, we’ll take it off the invoice.']
      : []),
    ...(fee && covered > 0
      ? [
          covered < fee.gross
            ? `${euros(covered)} already paid goes towards ${fee.isTravel ? 'them' : 'it'}; ${euros(fee.gross - covered)} is left to pay.`
            : `Payments so far cover ${fee.isTravel ? 'them' : 'it'}.`,
        ]
      : []),
    ...(feeWaits
      ? [`${fee?.isTravel ? 'The' : 'Its'} invoice follows once we have a billing address.`]
      : []),
    ...(numbers.length > 0
      ? [
          numbers.length === 1
            ? `A credit note cancels invoice ${numbers[0]}.`
            : `Credit notes cancel invoices ${new Intl.ListFormat('en-GB').format(numbers)}.`,
        ]
      : []),
    ...(back > 0 ? [`${euros(back)} already paid is refunded within 14 days.`] : []),
  ]
}
