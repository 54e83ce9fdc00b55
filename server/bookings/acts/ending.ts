import { partOf, shareDue } from '#shared/bookings/cancellation.ts'
import { priceInWords, totalOf, type BookingTotal } from '#shared/bookings/price.ts'
import type { CancelReason } from '#shared/bookings/staff-page.ts'
import { dateAt, daysBetween } from '#shared/dates/civil-dates.ts'
import { euros, sum } from '#shared/money.ts'
import type { OrderFeature } from '../../orders/feature.ts'
import type { Booking } from '../schema.ts'

/** What bookings need from orders: their invoices, and settling them. */
export type BookingBilling = OrderFeature['ofBookings']

/**
 * What a change needs besides the booking: the seller, for documents, and the reason for cancelling.
 */
export type Doing = { seller: Awaited<ReturnType<BookingBilling['seller']>>; because: CancelReason }

/** The settlement of an ended booking. */
export type Settlement = ReturnType<BookingBilling['settlementOf']>

const nothing: BookingTotal = { net: 0, vat: 0, gross: 0 }

/**
 * The fee for cancelling a booking under its agreed conditions: a share that depends on the days left
 * if the customer cancels, only travel if the organiser does, nothing if we do.
 * @param now milliseconds of the epoch
 */
export function dueIfCancelled(
  { state, agreement, lines, from }: Booking,
  because: CancelReason,
  now: number,
): BookingTotal {
  if (state !== 'confirmed' || !agreement || because === 'us') return nothing
  if (because === 'organiser') return totalOf(lines.filter(({ kind }) => kind === 'travel'))
  const percent = shareDue(agreement.cancellation, daysBetween(dateAt(now), from))
  return partOf(totalOf(lines), percent)
}

/** A settlement in sentences, for the customer and for staff. */
export function settlementInWords({
  fee,
  feeWaits,
  covered,
  credited,
  paidBack,
}: Settlement): string[] {
  const back = sum(paidBack.map(({ amount }) => amount))
  const numbers = credited.flatMap(({ invoice }) => (invoice === null ? [] : [String(invoice)]))
  return [
    fee ? `A cancellation fee of ${priceInWords(fee)} is due.` : 'There’s nothing to pay.',
    ...(fee && covered > 0
      ? [
          covered < fee.gross
            ? `${euros(covered)} already paid goes towards it; ${euros(fee.gross - covered)} is left to pay.`
            : 'Payments so far cover it.',
        ]
      : []),
    ...(feeWaits ? ['Its invoice follows once we have a billing address.'] : []),
    ...(numbers.length > 0
      ? [
          numbers.length === 1
            ? `A credit note cancels invoice ${numbers[0]}.`
            : `Credit notes cancel invoices ${new Intl.ListFormat('en-GB').format(numbers)}.`,
        ]
      : []),
    ...(back > 0 ? [`${euros(back)} already paid is refunded.`] : []),
  ]
}
