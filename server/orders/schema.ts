import * as z from 'zod/mini'
import { soldLicenceSchema } from '#shared/shop/licences.ts'
import type { OrderState, PaymentMethod } from '#shared/shop/orders.ts'
import type { ProductKind } from '#shared/shop/limits.ts'
import {
  defineTable,
  flag,
  integer,
  json,
  made,
  nullable,
  real,
  text,
  textOf,
  type NewRowOf,
  type RowOf,
} from '../db/table.ts'
import { taxGrounds, type Tax, type TaxGround } from '#shared/shop/tax.ts'
import { customsSchema } from '#shared/shop/delivery.ts'
import { vatCheckSchema } from '#shared/shop/vat-check.ts'
import { documentSchema } from './documents/invoice-document.ts'

const shippingPart: z.ZodMiniType<ShippingPart> = z.object({
  gross: z.number(),
  rate: z.number(),
  country: z.string(),
  ground: z.enum(taxGrounds),
})

// Money is integer cents, times are milliseconds of the epoch, days are civil dates in Helsinki.

/** What was bought, by whom, and how far it has come. */
export const orders = defineTable('orders', {
  id: integer(),
  number: text(),
  /** What the order's links are signed over. */
  secret: nullable(text()),
  state: textOf<OrderState>(),
  /** Counts the changes, for compare-and-swap. */
  sequence: made(integer()),
  payment: textOf<PaymentMethod>(),
  /** What makes a second submission the same one. */
  contentHash: text(),
  email: text(),
  name: text(),
  company: nullable(text()),
  vatId: nullable(text()),
  street: nullable(text()),
  street2: nullable(text()),
  postcode: nullable(text()),
  city: nullable(text()),
  /** State, province or territory. */
  region: nullable(text()),
  phone: nullable(text()),
  country: text(),
  /** Whether the buyer picks it up. */
  pickup: flag(),
  /** Whether it may be delivered before it is paid, as staff let a company. */
  onAccount: flag(),
  reverseCharge: flag(),
  shipping: integer(),
  /** The shipping by value of the goods: a part for each rate and ground. */
  shippingParts: json(z.array(shippingPart)),
  /** What the union's register said of the VAT id. */
  vatCheck: nullable(json(vatCheckSchema)),
  /** The discount code that it was placed with, and what it takes off; its lines are without that. */
  discountCode: nullable(text()),
  discount: integer(),
  /** The gift card that it was placed with, and the cents of the total that it pays. */
  giftCard: nullable(text()),
  giftCardAmount: integer(),
  total: integer(),
  termsVersion: text(),
  digitalWaiver: flag(),
  /** When the buyer asked for digital content at once, after the order was placed. */
  waivedAt: made(nullable(integer())),
  /** Whether services may begin before the days of withdrawal are over. */
  beginEarly: flag(),
  booking: nullable(text()),
  /** What all of the booking costs; the order may be over a part of it. */
  bookingWhole: nullable(integer()),
  /** The order of the same cart that took the place of this one before it was paid. */
  replacedBy: made(nullable(integer())),
  placedAt: integer(),
  changedAt: integer(),
  reservedUntil: nullable(integer()),
  paidAt: made(nullable(integer())),
  shippedAt: made(nullable(integer())),
  /** When the buyer was told that it can be picked up. */
  readyAt: made(nullable(integer())),
  /** At the payment service. */
  session: made(nullable(text())),
  sessionUrl: made(nullable(text())),
  paymentIntent: made(nullable(text())),
  /**
   * Since when it is certain that it comes from its address: placed in its client's session, opened
   * by a code from its mailbox, or dealt with by staff. Null while anyone may have placed it.
   */
  verifiedAt: nullable(integer()),
})

/** Lines of orders as they were bought, whatever becomes of their products. */
export const orderLines = defineTable('order_lines', {
  id: made(integer()),
  order: integer(),
  handle: nullable(text()),
  variant: nullable(text()),
  variantId: nullable(integer()),
  title: text(),
  kind: textOf<ProductKind>(),
  quantity: integer(),
  unit: integer(),
  /** What the order's code takes off all its pieces. */
  discount: integer(),
  /** So many times the unit price, without the discount. */
  total: integer(),
  /** Per cent, as it was on the day of the order. */
  rate: real(),
  /** Whose VAT it is, and why the rate is what it is. */
  taxCountry: text(),
  taxGround: textOf<TaxGround>(),
  madeToOrder: flag(),
  licence: nullable(text()),
  licenceVersion: nullable(text()),
  /** The licence as it was sold, with its words. */
  soldLicence: nullable(json(soldLicenceSchema)),
  files: json(z.array(z.string())),
  sku: nullable(text()),
  /** Grams of one piece. */
  weight: nullable(integer()),
  /** When it is delivered, in the words that its buyer was shown. */
  delivery: nullable(text()),
  customs: nullable(json(customsSchema)),
})

/** Which order a submission of a cart became. */
export const cartOrders = defineTable('cart_orders', {
  cart: integer(),
  key: text(),
  order: integer(),
})

/** Invoices and credit notes, in one series without a gap; what they say never changes. */
export const invoices = defineTable('invoices', {
  number: integer(),
  kind: textOf<'invoice' | 'credit'>(),
  order: integer(),
  /** The invoice that a credit note is about. */
  refersTo: nullable(integer()),
  reference: text(),
  issuedOn: text(),
  dueOn: nullable(text()),
  total: integer(),
  document: json(documentSchema),
  /** When its buyer was reminded of it, first to last. */
  reminders: made(json(z.array(z.number()))),
  /** When staff gave it to a collection agency. */
  collectedAt: made(nullable(integer())),
})

/** Money that came in or, as a negative amount, went back. */
export const payments = defineTable('payments', {
  id: made(integer()),
  order: integer(),
  source: textOf<'stripe' | 'bank' | 'staff' | 'gift-card' | 'refund'>(),
  /**
   * The payment service's session, the bank's archive id, staff's note, the number of a gift card, the
   * name of a refund.
   */
  externalId: nullable(text()),
  /** As the bank writes the name. */
  payer: nullable(text()),
  amount: integer(),
  paidOn: text(),
  recordedAt: integer(),
  /** The payer's IBAN, as far as the bank tells it. */
  account: nullable(text()),
  /** What the payment service kept of it, in cents; null while that is not known. */
  fee: made(nullable(integer())),
  /** The payment at the payment service; null for what came by another way. */
  paymentIntent: nullable(text()),
  /** Of what staff recorded by hand: the day of the bank's row that it turned out to be; null before. */
  statementDay: made(nullable(text())),
  /** The bank's archive id of that row; null where it has none. */
  statementId: made(nullable(text())),
  /**
   * The payment that it takes back (a negative amount, at the same order) or that moved here from another
   * order; null for every other one.
   */
  corrects: nullable(integer()),
})

/** What a late payment costs its buyer, in cents. */
export const charges = defineTable('charges', {
  id: made(integer()),
  order: integer(),
  kind: textOf<'interest' | 'reminder' | 'compensation'>(),
  amount: integer(),
  /** Civil date; interest is up to the day before it. */
  claimedOn: text(),
  claimedAt: integer(),
  /** When staff let it go, or the order was taken back. */
  waivedAt: made(nullable(integer())),
})

/** What of a payout is taken back from a payment by card. */
export type PayoutPart = { readonly paymentIntent: string; readonly amount: number }

const payoutPart: z.ZodMiniType<PayoutPart> = z.object({
  paymentIntent: z.string(),
  amount: z.number(),
})

/** Money on its way back to buyers; it counts as paid back from the beginning. */
export const payouts = defineTable('payouts', {
  id: made(integer()),
  order: integer(),
  method: textOf<'stripe' | 'bank' | 'gift-card'>(),
  amount: integer(),
  /** The credit note that it belongs to; null for what was paid too much. */
  credit: nullable(integer()),
  reason: text(),
  /** The payments by card that it is taken back from; null for what is paid at the bank. */
  parts: nullable(json(z.array(payoutPart))),
  madeAt: integer(),
  /** When the payment service took it, staff paid it at the bank, or it was on the gift card again. */
  sentAt: made(nullable(integer())),
  /** The account and the name that staff have entered; else those of the payment. */
  iban: made(nullable(text())),
  recipient: made(nullable(text())),
  /** The file for the bank that it is in. */
  batch: made(nullable(integer())),
  /** Cents of it that the payment service could not deliver, and that another payout pays. */
  failed: made(integer()),
  /** The payout that failed at the payment service, and that this one pays instead. */
  replaces: nullable(integer()),
})

/** Files for the bank. */
export const payoutBatches = defineTable('payout_batches', {
  id: made(integer()),
  /** What the bank tells files apart by. */
  message: text(),
  /** Civil date on which the bank is to pay. */
  executeOn: text(),
  actor: text(),
  madeAt: integer(),
})

/** The stock at the end of a fiscal year. */
export const stockLists = defineTable('stock_lists', {
  day: text(),
  handle: text(),
  variant: text(),
  title: text(),
  /** Pieces that no one has ordered. */
  shelf: integer(),
  /** Pieces of orders that were not sent yet. */
  ordered: integer(),
  /** Sale price including VAT, in cents. */
  price: nullable(integer()),
  takenAt: integer(),
})

/** What the payment service has told; each event counts once. */
export const stripeEvents = defineTable('stripe_events', {
  id: text(),
  type: text(),
  receivedAt: integer(),
  outcome: text(),
})

/** How far a statement of withdrawal has been dealt with. */
export const withdrawalStates = ['received', 'awaiting', 'back', 'settled', 'closed'] as const
/** One of {@link withdrawalStates}. */
export type WithdrawalState = (typeof withdrawalStates)[number]

/** Statements of withdrawal, as the customer wrote them. */
export const withdrawals = defineTable('withdrawals', {
  id: integer(),
  orderNumber: text(),
  order: nullable(integer()),
  name: text(),
  email: text(),
  receivedAt: integer(),
  state: textOf<WithdrawalState>(),
  backAt: made(nullable(integer())),
  /** When the customer has shown that the goods are on their way back. */
  proofAt: made(nullable(integer())),
  settledAt: made(nullable(integer())),
  /** Its credit note. */
  credit: made(nullable(integer())),
  note: made(nullable(text())),
})

/** What a statement is about; none where it names no order of its sender. */
export const withdrawalLines = defineTable('withdrawal_lines', {
  withdrawal: integer(),
  line: integer(),
  quantity: integer(),
  /** Pieces that had been sent when the statement came, or were sent in spite of it. */
  sent: integer(),
  /** Why there is no right of withdrawal; null where there is one. */
  exempt: nullable(text()),
})

/** What has left of an order. */
export const parcels = defineTable('parcels', {
  id: made(integer()),
  order: integer(),
  carrier: nullable(text()),
  tracking: nullable(text()),
  sentAt: integer(),
})

/** Which pieces were in a parcel. */
export const parcelLines = defineTable('parcel_lines', {
  parcel: integer(),
  line: integer(),
  quantity: integer(),
})

/** Companies that staff let pay after delivery. */
export const creditAccounts = defineTable('credit_accounts', {
  email: text(),
  company: text(),
  allowedAt: integer(),
  allowedBy: text(),
})

/** Which file of a line was fetched, and when. */
export const downloads = defineTable('downloads', {
  id: made(integer()),
  line: integer(),
  file: text(),
  at: integer(),
  /** Keyed hash of the network. */
  network: text(),
})

/** The part of the shipping that goes with the goods of one rate. */
export type ShippingPart = Tax & { readonly gross: number }

/** An order's row. */
export type OrderRow = RowOf<typeof orders>
/** What a new order's row says of itself. */
export type NewOrderRow = NewRowOf<typeof orders>
/** A line's row. */
export type OrderLineRow = RowOf<typeof orderLines>
/** What a new line says of itself. */
export type NewOrderLine = Omit<NewRowOf<typeof orderLines>, 'order'>
/** An invoice or credit note. */
export type Invoice = RowOf<typeof invoices>
/** Money on its way back. */
export type Payout = RowOf<typeof payouts>
/** What is told of a payment. */
export type Payment = RowOf<typeof payments>
/** One that is recorded now. */
export type NewPayment = Omit<
  NewRowOf<typeof payments>,
  'recordedAt' | 'account' | 'paymentIntent' | 'corrects'
> & {
  account?: string | null
  corrects?: number | null
  paymentIntent?: string | null
}
/** What a late payment costs. */
export type Charge = RowOf<typeof charges>
/** A file for the bank. */
export type PayoutBatch = RowOf<typeof payoutBatches>
/** A statement of withdrawal. */
export type Withdrawal = RowOf<typeof withdrawals>
/** What a statement says of a line. */
export type WithdrawalLine = RowOf<typeof withdrawalLines>
/** A line of a new statement. */
export type NewWithdrawalLine = NewRowOf<typeof withdrawalLines>
/** What has left of an order. */
export type Parcel = RowOf<typeof parcels>
