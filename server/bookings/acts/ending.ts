import { partOf, shareDue } from '#shared/booking-cancellation.ts'
import { priceInWords, totalOf, type BookingTotal } from '#shared/booking-price.ts'
import type { CancelReason } from '#shared/booking-staff.ts'
import { dateAt, daysBetween } from '#shared/civil-dates.ts'
import { euros, sum } from '#shared/money.ts'
import type { OrderFeature } from '../../orders/feature.ts'
import type { Booking } from '../schema.ts'

/** What of orders bookings take: their invoices, and what becomes of them. */
export type BookingBilling = OrderFeature['ofBookings']

/** What ending a booking settles. */
export type Settlement = ReturnType<BookingBilling['settlementOf']>

const nothing: BookingTotal = { net: 0, vat: 0, gross: 0 }

/**
 * What cancelling a booking costs by the rules that were agreed: the customer pays a share by the days
 * that are left, for an organiser who cancels travel alone, and nothing when we cancel.
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

/** What a settlement comes to, in sentences for the customer and for staff. */
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
            : `Credit notes cancel invoices ${numbers.join(' and ')}.`,
        ]
      : []),
    ...(back > 0 ? [`${euros(back)} already paid is refunded.`] : []),
  ]
}
