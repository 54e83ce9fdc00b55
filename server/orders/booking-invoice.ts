import { dateAt } from '#shared/civil-dates.ts'
import { failure } from '#shared/failures.ts'
import { legalVersions } from '#shared/legal.ts'
import { vatRate } from '#shared/money.ts'
import type { Platform } from '../feature.ts'
import { insertNew } from './checkout.ts'
import type { Invoices, Seller } from './invoices.ts'
import { orderMail } from './mails.ts'
import type { Order, OrderStore } from './store.ts'

/** What of a booking its invoice needs. */
export type BookedWork = {
  readonly reference: string
  readonly state: string
  readonly name: string
  readonly email: string
  readonly company: string | null
}

/** Makes orders of bookings. */
export type BookingInvoices = ReturnType<typeof createBookingInvoices>

/** Makes what turns a confirmed booking into an order with an invoice. */
export function createBookingInvoices(
  platform: Platform,
  {
    orders,
    invoices,
    seller,
  }: { orders: OrderStore; invoices: Invoices; seller: () => Promise<Seller> },
) {
  const { commit, clock, mails, outbox, timeline } = platform

  /**
   * Orders the work of a booking and sends its invoice, once for each booking.
   * @param line `title` of the work, `gross` cents including VAT at the general rate
   * @throws clash when the booking is not confirmed, or has an order already, which is named
   */
  return async (
    booking: BookedWork,
    { title, gross, actor }: { title: string; gross: number; actor: string },
  ): Promise<Order> => {
    const sells = await seller()
    const placed = await commit((tx) => {
      if (booking.state !== 'confirmed') {
        throw failure('clash', {
          message: `Booking ${booking.reference} is ${booking.state}; only confirmed bookings get an invoice.`,
        })
      }
      const known = orders.ofBooking(booking.reference)
      if (known) {
        throw failure('clash', {
          message: `Booking ${booking.reference} has order ${known.number} already.`,
        })
      }
      const now = clock()
      const order = insertNew(tx, orders, {
        number: '',
        cartKey: null,
        contentHash: '',
        state: 'open',
        payment: 'invoice',
        email: booking.email,
        name: booking.name,
        company: booking.company,
        vatId: null,
        street: null,
        postcode: null,
        city: null,
        country: 'FI',
        reverseCharge: false,
        shipping: 0,
        shippingRate: null,
        total: gross,
        termsVersion: legalVersions.terms[0].version,
        digitalWaiver: false,
        booking: booking.reference,
        placedAt: now,
        reservedUntil: null,
        lines: [
          {
            handle: null,
            variant: null,
            variantId: null,
            title,
            kind: 'service',
            quantity: 1,
            unit: gross,
            total: gross,
            rate: vatRate('general', dateAt(now)),
            madeToOrder: false,
            licence: null,
            licenceVersion: null,
            files: [],
          },
        ],
      })
      const invoice = invoices.issue(tx, order, sells, { paid: false })
      timeline.record(tx, {
        thing: 'order',
        thingId: order.number,
        actor,
        act: 'placed',
        after: 'open',
        note: `booking ${booking.reference}`,
      })
      timeline.record(tx, {
        thing: 'booking',
        thingId: booking.reference,
        actor,
        act: 'invoiced',
        note: `order ${order.number}, invoice ${invoice.number}`,
      })
      orderMail(tx, mails, 'orderConfirmed', order, invoice.number)
      return order
    })
    outbox.wake()
    return placed
  }
}
