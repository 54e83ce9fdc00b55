import { dateAt } from '#shared/civil-dates.ts'
import { failure } from '#shared/failures.ts'
import { legalVersions } from '#shared/legal.ts'
import { vatRate } from '#shared/money.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Platform } from '../feature.ts'
import { partOfBooking, type BookedPrice } from './booking-part.ts'
import { insertNew } from './checkout.ts'
import type { Seller } from './invoice-document.ts'
import type { Invoices } from './invoices.ts'
import { orderMail } from './mails.ts'
import type { Order } from './order.ts'
import type { OrderStore } from './store.ts'

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

  const note = (
    tx: Transaction,
    { reference }: BookedWork,
    { order, invoice, actor }: { order: Order; invoice: number; actor: string },
  ) => {
    timeline.record(tx, {
      thing: 'order',
      thingId: order.number,
      actor,
      act: 'placed',
      after: 'open',
      note: `booking ${reference}`,
    })
    timeline.record(tx, {
      thing: 'booking',
      thingId: reference,
      actor,
      act: 'invoiced',
      note: `order ${order.number}, invoice ${invoice}`,
    })
  }

  /**
   * Orders the work of a booking and sends its invoice: the whole at once, or a deposit and later
   * the rest.
   * @param work `title` of the work, prices in cents including VAT at the general rate
   * @throws clash when the booking is not confirmed, or there is nothing left to invoice
   */
  return async (
    booking: BookedWork,
    { title, actor, ...price }: { title: string; actor: string } & BookedPrice,
  ): Promise<Order> => {
    const sells = await seller()
    const placed = await commit((tx) => {
      if (booking.state !== 'confirmed') {
        throw failure('clash', {
          message: `Booking ${booking.reference} is ${booking.state}; only confirmed bookings get an invoice.`,
        })
      }
      const before = orders.ofBooking(booking.reference).map((order) => ({
        order: order.number,
        invoice: invoices.invoiceOf(order.id)?.number ?? null,
        total: order.total,
        whole: order.bookingWhole ?? order.total,
      }))
      const { whole, gross, prefix } = partOfBooking(booking.reference, before, price)
      const line = { title: prefix + title, gross }
      const order = insertNew(tx, orders, orderOf(booking, { ...line, whole, now: clock() }))
      const invoice = invoices.issue(tx, order, sells, { paid: false })
      note(tx, booking, { order, invoice: invoice.number, actor })
      orderMail(tx, mails, 'orderConfirmed', order, invoice.number)
      return order
    })
    outbox.wake()
    return placed
  }
}

function orderOf(
  { reference, name, email, company }: BookedWork,
  { title, gross, whole, now }: { title: string; gross: number; whole: number; now: number },
): Parameters<OrderStore['insert']>[1] {
  return {
    number: '',
    cartKey: null,
    contentHash: '',
    state: 'open',
    payment: 'invoice',
    email,
    name,
    company,
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
    booking: reference,
    bookingWhole: whole,
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
  }
}
