import { invoiceName, type BookingPart } from '#shared/bookings/invoice-parts.ts'
import { ratedAt, totalOf, type CancellationFee } from '#shared/bookings/price.ts'
import { addDays, dateAt } from '#shared/dates/civil-dates.ts'
import { failure } from '#shared/failures.ts'
import { orderLimits } from '#shared/shop/order-limits.ts'
import type { Tax } from '#shared/shop/tax.ts'
import type { Transaction } from '../../../db/group-commit.ts'
import { integer, query, text } from '../../../db/table.ts'
import type { Platform } from '../../../feature.ts'
import type { LegalFeature } from '../../../legal/feature.ts'
import type { ShopFeature } from '../../../shop/feature.ts'
import { insertNew, type OrderShop } from '../../checkout/place-order.ts'
import { orderMail } from '../../mails/mails.ts'
import type { Order } from '../../order.ts'
import type { OrderStore } from '../../store.ts'
import {
  draftOf,
  feeDraft,
  type AddressField,
  missingForInvoice,
  type AskedPart,
  type BookedWork,
  type BookingDraft,
} from './booking-draft.ts'
import { createBookingParts } from './booking-parts.ts'
import { createBookingSettlement, movedMoneyOf } from './booking-settlement.ts'
import { serviceVat, vatOfLines, type ServiceBuyer, type ServiceTax } from './booking-vat.ts'
import type { Seller } from '../invoice-document.ts'
import type { OrderActions } from '../../actions.ts'
import { leftOf } from '../../payment/balance.ts'
import type { Payouts } from '../../payment/payouts.ts'
import type { Pdfs } from '../pdf/pdfs.ts'
import type { Invoices } from '../invoices.ts'
import { todoOf } from '../../withdrawal/withdrawal-cases.ts'

/** An order of a booking with its money; cents. */
export type BookingDocument = {
  order: string
  part: BookingPart
  /** Whether it's over travel that was lost because the organiser cancelled. */
  isTravel: boolean
  state: Order['state']
  invoice: number | null
  total: number
  paid: number
  /** What is still to be paid, with what paying late has cost. */
  open: number
  /** What of it paying late has cost. */
  charges: number
  /** What credit notes took off. */
  credited: number
  /** How it was paid so far; null for not at all. */
  paidBy: 'card' | 'bank transfer' | 'card and bank transfer' | null
  /** Whether the rest can be paid by card now. */
  isPayableByCard: boolean
  dueOn: string | null
  /** Of the order's page for its buyer, absolute. */
  url: string
}

/** A withdrawal from a booking, for staff. */
export type BookingWithdrawal = {
  id: number
  receivedAt: number
  /** The order that it names, which is where it's dealt with; null where it names the booking. */
  order: string | null
  stage: string
  /** What it waits for, in a few words; null for one that is over. */
  todo: string | null
  isOver: boolean
}

/** An invoice as it would be issued now, with what is still missing for it. */
export type BookingPreview = BookingDraft & {
  missing: readonly AddressField[]
  dueOn: string
  tax: Tax
}

/** The money of bookings: their invoices, and what becomes of them when a booking ends. */
export type BookingBilling = ReturnType<typeof createBookingBilling>

/** Opens the invoices of bookings: what is due, issued, paid and credited. */
export function createBookingBilling(
  platform: Platform,
  {
    orders,
    invoices,
    seller: findSeller,
    shop,
    successUrl,
    isBookingOn,
    pdfs,
    payouts,
    payment,
    terms,
  }: {
    orders: OrderStore
    invoices: Invoices
    seller: () => Promise<Seller>
    shop: OrderShop & Pick<ShopFeature, 'vatOf'>
    successUrl: (order: Order) => string
    isBookingOn: (reference: string) => boolean
    pdfs: Pick<Pdfs, 'agreement' | 'callSheet'>
    payouts: Payouts
    payment: Pick<OrderActions, 'cards' | 'viewed' | 'balanceOf' | 'withdrawals'>
    terms: Pick<LegalFeature['terms'], 'keep'>
  },
) {
  const { commit, clock, db, mails, outbox, timeline } = platform
  const parts = createBookingParts(db, { orders, invoices })
  const { standing } = parts
  const allOf = query(db, 'SELECT number FROM orders WHERE booking = :reference ORDER BY id', {
    number: text(),
  })
  const issuedFor = query(
    db,
    `SELECT count(*) AS issued FROM invoices
     WHERE "order" IN (SELECT id FROM orders WHERE booking = :reference)`,
    { issued: integer() },
  )
  const paidIn = query(
    db,
    'SELECT coalesce(sum(amount), 0) AS amount FROM payments WHERE "order" = :order',
    { amount: integer() },
  )
  const paidFor = ({ id }: Order) => paidIn.get({ order: id })!.amount

  /** How the money of an order came; what was moved from another one of the booking came as it did there. */
  const paidBy = ({ id }: Order): BookingDocument['paidBy'] => {
    const isByCard = ({ source, paymentIntent }: ReturnType<OrderStore['paymentsOf']>[number]) =>
      source === 'stripe' || paymentIntent !== null
    const came = orders.standingPayments(id).filter(({ amount }) => amount > 0)
    if (came.length === 0) return null
    if (!came.some(isByCard)) return 'bank transfer'
    return came.every(isByCard) ? 'card' : 'card and bank transfer'
  }

  /** Whether money of an order was paid back, and did not only move to the fee. */
  const wentBack = (order: Order): boolean =>
    orders
      .standingPayments(order.id)
      .some((each) => each.amount < 0 && movedMoneyOf(each, order) === null)

  const vatFor = (
    buyer: ServiceBuyer & { readonly vatCheck?: BookedWork['vatCheck'] },
    { isEntered = false } = {},
  ): Promise<ServiceTax> =>
    serviceVat(shop.vatOf, buyer, {
      date: dateAt(clock()),
      isEntered,
      known: (!isEntered && buyer.vatCheck) || null,
    })
  const taxOfBooking = (booking: BookedWork): Tax =>
    vatOfLines(booking, booking.lines, dateAt(clock()))

  const draft = (booking: BookedWork, asked: AskedPart): BookingPreview => {
    if (booking.state !== 'confirmed') {
      throw failure('wrong-state', {
        message: `Booking ${booking.reference} is ${booking.state}; only confirmed bookings get an invoice.`,
      })
    }
    const tax = taxOfBooking(booking)
    const rated = { ...booking, lines: ratedAt(booking.lines, tax.rate) }
    const drafted = draftOf(rated, standing(booking), asked, tax.rate)
    return {
      ...drafted,
      tax,
      // Asked for the whole price, so that a fee that a deposit covers never waits for an address.
      missing: missingForInvoice(booking, Math.max(drafted.whole, drafted.total.gross)),
      dueOn: addDays(dateAt(clock()), orderLimits.dueDays),
    }
  }

  /** Orders a drafted part, issues its invoice and emails it; `covered` cents of it are paid already. */
  const issue = (
    tx: Transaction,
    booking: BookedWork,
    drafted: BookingDraft & { tax: Tax },
    { actor, seller, covered = 0 }: { actor: string; seller: Seller; covered?: number },
  ): Order => {
    const termsVersion = booking.agreement?.termsVersion ?? terms.keep(tx)
    const order = insertNew(tx, orders, orderOf(booking, drafted, { now: clock(), termsVersion }))
    parts.keep(tx, order, drafted)
    // A fee is no supply that has days.
    const performed = drafted.part === 'fee' ? null : { from: booking.from, to: booking.to }
    const invoice = invoices.issue(tx, order, seller, {
      paid: covered >= order.total,
      covered,
      performed,
    })
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
    orderMail(tx, mails, 'bookingInvoice', order, invoice.number)
    return order
  }

  /** Issues the invoice of a fee. */
  const issueFee = (
    tx: Transaction,
    booking: BookedWork,
    fee: CancellationFee,
    by: { actor: string; seller: Seller; covered?: number },
  ): Order => {
    const tax = taxOfBooking(booking)
    return issue(tx, booking, { ...feeDraft(booking, fee, tax.rate), tax }, by)
  }

  const settlement = createBookingSettlement(platform, {
    orders,
    invoices,
    shop,
    payouts,
    paidFor,
    issueFee,
  })

  const refuseUntilWhole = ({ missing }: BookingPreview) => {
    if (missing.length === 0) return
    const words: Readonly<Record<AddressField, string>> = {
      country: 'country',
      street: 'street',
      postcode: 'postal code',
      city: 'town',
      region: 'state or province',
    }
    throw failure('invalid', {
      message: `This invoice still needs the client’s ${list(missing.map((field) => words[field]))}.`,
      errors: Object.fromEntries(
        missing.map((field) => [field, `The invoice needs the ${words[field]}`]),
      ),
    })
  }

  return {
    vatFor,
    seller: findSeller,
    /** Draws what was agreed on. */
    pdf: pdfs.agreement,
    /** Draws a call sheet. */
    sheetPdf: pdfs.callSheet,

    /** Every order of a booking, cancelled ones too. */
    of: (reference: string): BookingDocument[] =>
      allOf.all({ reference }).flatMap(({ number }) => {
        const order = orders.find(number)
        if (!order) return []
        const invoice = invoices.invoiceOf(order.id)
        const balance = payment.balanceOf(order)
        const document: BookingDocument = {
          order: number,
          part: parts.of(order).part,
          isTravel: parts.isTravel(order),
          // What covers the fee was not paid back: a credit note alone cancels that invoice.
          state: order.state === 'refunded' && !wentBack(order) ? 'cancelled' : order.state,
          invoice: invoice?.number ?? null,
          total: order.total,
          paid: paidFor(order),
          open: leftOf(balance),
          charges: balance.charges,
          credited: balance.credited,
          paidBy: paidBy(order),
          isPayableByCard: payment.cards.payable(order) > 0,
          dueOn: invoice?.dueOn ?? null,
          url: successUrl(order),
        }
        return [document]
      }),

    /** How many invoices and credit notes were issued for a booking. */
    issued: (reference: string): number => issuedFor.get({ reference })!.issued,

    /**
     * Leads to the page where the rest of one of its invoices is paid by card.
     * @param number of the order
     * @returns its address at the payment service
     * @throws missing for an order of another booking; wrong-state when nothing is left to pay, or a payment
     *   is on its way; payment-down
     */
    async payByCard(
      reference: string,
      number: string,
      addresses: { success: string; cancel: string },
    ): Promise<string> {
      const order = orders.find(number)
      if (order?.booking !== reference) {
        throw failure('missing', { message: 'Invoice not found.' })
      }
      const invoice = invoices.invoiceOf(order.id)?.number
      return payment.cards.page(number, {
        ...addresses,
        name: `${invoiceName({ part: parts.of(order).part, isTravel: parts.isTravel(order) })} ${invoice}, booking ${reference}`,
      })
    },

    /** Asks the payment service beside a page what became of payments; waits for a moment at most. */
    async look(reference: string): Promise<void> {
      await Promise.all(orders.ofBooking(reference).map(payment.viewed))
    },

    /** Withdrawals from a booking, by its reference or one of its invoices, the oldest first. */
    withdrawalsOf: ({ reference, email }: BookedWork): BookingWithdrawal[] =>
      payment.withdrawals.ofBooking(reference, email).map((found) => ({
        id: found.withdrawal.id,
        receivedAt: found.withdrawal.receivedAt,
        order: found.order?.number ?? null,
        stage: found.stage,
        todo: found.isOver ? null : todoOf(found),
        isOver: found.isOver,
      })),

    /** Closes a withdrawal from a booking that was settled there. @throws missing, changed, wrong-state */
    async closeWithdrawal(id: number, reason: string, actor: string): Promise<void> {
      await payment.withdrawals.close(id, reason, actor)
    },

    /** What an invoice of all of it still needs, by the names of the fields. */
    missing: (booking: BookedWork) => missingForInvoice(booking, totalOf(booking.lines).gross),

    /** The next invoice of a booking as it would be; nothing is kept or sent. @throws wrong-state */
    preview: draft,

    /**
     * Issues the next invoice of a booking and emails it.
     * @throws wrong-state when there is nothing left to invoice; invalid by field while the law wants more
     */
    async invoice(
      read: () => BookedWork,
      { actor, ...asked }: AskedPart & { actor: string },
    ): Promise<Order> {
      const seller = await findSeller()
      const placed = await commit((tx) => {
        const booking = read()
        const drafted = draft(booking, asked)
        refuseUntilWhole(drafted)
        return issue(tx, booking, drafted, { actor, seller })
      })
      outbox.wake()
      return placed
    },

    /**
     * Issues the deposit of a booking that was just confirmed, if its invoice has all it needs. Call it
     * inside the transaction.
     * @returns whether it was issued
     */
    deposit(
      tx: Transaction,
      booking: BookedWork,
      percent: number,
      { actor, seller }: { actor: string; seller: Seller },
    ): boolean {
      if (standing(booking).length > 0) return false
      const drafted = draft(booking, { deposit: percent })
      if (drafted.missing.length > 0 || drafted.total.gross <= 0) return false
      issue(tx, booking, drafted, { actor, seller })
      return true
    },

    ...settlement,

    /**
     * Issues the invoice of a fee that waited for an address, once it has one. Call it inside the
     * transaction.
     * @returns whether it was issued
     */
    fee(
      tx: Transaction,
      booking: BookedWork,
      fee: CancellationFee,
      by: { actor: string; seller: Seller },
    ): boolean {
      if (missingForInvoice(booking, fee.gross).length > 0) return false
      issueFee(tx, booking, fee, by)
      return true
    },

    /**
     * Whether the invoice of an order is still owed, so it may be reminded of: of a booking that is
     * over only its fee is.
     */
    isOwed: (order: Order): boolean =>
      order.booking === null || parts.of(order).part === 'fee' || isBookingOn(order.booking),
  }
}

const list = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

function orderOf(
  booking: BookedWork,
  { lines, total, whole, tax }: BookingDraft & { tax: Tax },
  { now, termsVersion }: { now: number; termsVersion: string },
): Parameters<OrderStore['insert']>[1] {
  return {
    number: '',
    contentHash: '',
    state: 'open',
    payment: 'invoice',
    email: booking.email,
    name: booking.name,
    company: booking.company,
    // One that the register doesn't know makes no one a company.
    vatId: booking.vatCheck?.state === 'no' ? null : booking.vatId,
    street: booking.street,
    street2: null,
    postcode: booking.postcode,
    city: booking.city,
    region: booking.region,
    phone: null,
    pickup: false,
    onAccount: false,
    country: booking.country ?? 'FI',
    reverseCharge: tax.ground === 'reverse-charge',
    shipping: 0,
    shippingParts: [],
    vatCheck: booking.vatCheck,
    discountCode: null,
    giftCard: null,
    giftCardAmount: 0,
    discount: 0,
    total: total.gross,
    termsVersion,
    digitalWaiver: false,
    beginEarly: false,
    booking: booking.reference,
    bookingWhole: whole,
    placedAt: now,
    reservedUntil: null,
    verifiedAt: now,
    lines: lines.map(({ title, total: gross, rate }) => ({
      handle: null,
      variant: null,
      variantId: null,
      title,
      kind: 'service' as const,
      quantity: 1,
      unit: gross,
      discount: 0,
      total: gross,
      rate,
      taxCountry: tax.country,
      taxGround: tax.ground,
      madeToOrder: false,
      licence: null,
      licenceVersion: null,
      soldLicence: null,
      files: [],
      sku: null,
      weight: null,
      delivery: null,
      customs: null,
    })),
  }
}
