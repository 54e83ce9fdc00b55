import * as z from 'zod/mini'
import { endpoint, json } from '../endpoint.ts'
import { accepted, emailAddress, line, optionalLine, submissionKey } from '../forms/fields.ts'
import { deliveryWays, shopLimits } from './limits.ts'
import { country, type CartDiscount, type CartLine, type VatSum } from './shop.ts'

/** A phone number as people write it; an empty one counts as left out. */
const optionalPhone = z.pipe(
  optionalLine(30),
  z.optional(z.string().check(z.regex(/^\+?[\d\s()/.-]{5,30}$/, 'Please enter a phone number'))),
)

/** How an order can be paid; `stripe` only where it is configured. */
export const paymentMethods = ['invoice', 'stripe'] as const
/** One of {@link paymentMethods}. */
export type PaymentMethod = (typeof paymentMethods)[number]

/**
 * The life of an order. `waiting` is beyond a share: it holds nothing until the link in its email or
 * staff let it on. `pending` waits for its payment and holds its pieces; `open` has an unpaid
 * invoice; `attention` was paid after its pieces went to another buyer.
 */
export const orderStates = [
  'waiting',
  'pending',
  'open',
  'paid',
  'shipped',
  'cancelled',
  'refunded',
  'expired',
  'attention',
] as const
/** Formats of invoices and credit notes: for people, and for programs (Finvoice 3.0, EN 16931 as UBL). */
export const documentFormats = ['pdf', 'html', 'finvoice', 'ubl'] as const
/** One of {@link documentFormats}. */
export type DocumentFormat = (typeof documentFormats)[number]

/** One of {@link orderStates}. */
export type OrderState = (typeof orderStates)[number]

/** What the checkout form sends. Which fields are needed depends on what is in the cart. */
export const checkoutRequest = z.object({
  key: submissionKey,
  email: emailAddress,
  name: line('Name is required', 100),
  company: optionalLine(120),
  vatId: optionalLine(30),
  street: optionalLine(200),
  /** Flat, floor, building. */
  street2: optionalLine(200),
  postcode: optionalLine(20),
  city: optionalLine(100),
  /** State, province or territory. */
  state: optionalLine(60),
  phone: optionalPhone,
  country,
  payment: z.enum(paymentMethods, 'Please choose how to pay'),
  terms: accepted('Please accept the terms'),
  digitalWaiver: z.optional(z.boolean('Please answer with true or false')),
  /** Asks for services to begin before the days of withdrawal are over. */
  beginEarly: z.optional(z.boolean('Please answer with true or false')),
  /** `pickup` where the buyer fetches the goods; they are sent where it is left out. */
  delivery: z.optional(z.enum(deliveryWays, 'Please choose delivery or pickup')),
  /** Cents including VAT and shipping that the visitor was shown. */
  expectedTotal: z
    .number('The total is missing')
    .check(z.int('The total isn’t a whole number of cents'), z.minimum(0), z.maximum(100_000_000)),
  /** Cents of it that the visitor was shown that the gift card of the cart pays; 0 where it is left out. */
  expectedGiftCard: z.optional(
    z
      .number('The gift card’s part isn’t a number')
      .check(z.int('The gift card’s part isn’t a whole number of cents'), z.minimum(0)),
  ),
  /** The lines that the visitor was shown, as {@link cartItems} writes them; whatever is in the cart where it is left out. */
  expectedLines: z.optional(
    z
      .string('The lines aren’t a text')
      .check(z.maxLength(10_000, 'The lines are longer than a cart can be')),
  ),
  /** The licences that the visitor was shown, as {@link cartLicences} writes them; whatever is sold now where it is left out. */
  expectedLicences: z.optional(
    z
      .string('The licences aren’t a text')
      .check(z.maxLength(20_000, 'The licences are longer than a cart can have')),
  ),
  /** Honeypot: people never see it. */
  website: z.optional(
    z.string('Please leave this empty').check(z.maxLength(2000, 'Please leave this empty')),
  ),
})
/** A valid {@link checkoutRequest}. */
export type CheckoutRequest = z.output<typeof checkoutRequest>

/** Fields of the form that are about sending it, or have columns of their own kind. */
type Transport =
  | 'key'
  | 'terms'
  | 'expectedTotal'
  | 'expectedGiftCard'
  | 'expectedLines'
  | 'expectedLicences'
  | 'website'
  | 'digitalWaiver'
  | 'beginEarly'
  | 'delivery'
  | 'payment'
  // An order's own state has the name; the row calls this `region`.
  | 'state'

/**
 * What a buyer enters, as an order keeps it: null for what was left out. The order's row, its emails,
 * the form and the command line are typed by it, so none of them misses a new field.
 */
export type BuyerEntries = {
  readonly [
    Name in Exclude<keyof CheckoutRequest, Transport>
  ]-?: undefined extends CheckoutRequest[Name]
    ? Exclude<CheckoutRequest[Name], undefined> | null
    : CheckoutRequest[Name]
} & {
  /** The `state` of the form: state, province or territory. */
  readonly region: string | null
}

/** The reply to an order that was taken. */
export type CheckoutReply = {
  success: true
  order: string
  token: string
  total: number
  /** The success page, or the page of the payment service; absolute. */
  next: string
  /** What it waits for, in words for people; only of one that waits and holds nothing yet. */
  message?: string
  /** Whether the same key came before. */
  repeat?: true
}

/** Orders and pays what is in the cart; 201, or 200 for the same key again. */
export const checkout = endpoint({
  method: 'POST',
  path: '/api/shop/checkout',
  input: checkoutRequest,
  output: json<CheckoutReply>(({ repeat }) => (repeat ? 200 : 201)),
})

/** What the checkout page is made from beside the cart. */
export type CheckoutForm = {
  payments: PaymentMethod[]
  countries: { code: string; name: string }[]
  /** Which parts the cart needs. */
  needs: { address: boolean; waiver: boolean; early: boolean }
  /** Exempt lines of the cart: what cannot be sent back, and why. */
  exempt: { title: string; why: string }[]
  /** When each line is delivered, in words. */
  delivery: { title: string; words: string }[]
  /** Where goods can be picked up; null where nothing of the cart can be. */
  pickup: { address: string } | null
  /** Days after delivery in which a company that staff let pays its invoice; null for everyone else. */
  creditDays: number | null
}

/** The parts of the checkout form for the visitor's cart. */
export const getCheckoutForm = endpoint({
  method: 'GET',
  path: '/api/shop/checkout',
  input: z.object({}),
  output: json<CheckoutForm>(),
})

/** A file of a digital line that can be fetched, or why it still waits. */
export type Download = { name: string; bytes: number; href: string | null; waits: string | null }

/** An order as its buyer sees it; only number and state once the page's time is over. */
export type OrderView = {
  order: string
  state: OrderState
  /** What an order waits for that holds nothing: the link in the email to its buyer, or staff. */
  waits: { for: 'link' | 'staff'; until: string } | null
  /** Null once the page's time is over, until the code from the email is entered. */
  details: {
    placedAt: string
    name: string
    company: string | null
    email: string
    /** Their totals are without the discount. */
    lines: CartLine[]
    discount?: CartDiscount
    /** The gift card that pays a part of it, or all. */
    giftCard?: { number: string; amount: number }
    shipping: number
    /** Whether anything of it goes by post. */
    isSent: boolean
    /** Whether pieces have not left yet that still will. */
    isLeft: boolean
    /** When each line is delivered, in words. */
    delivery: { title: string; words: string }[]
    /** What has left, the first parcel first. */
    parcels: {
      sentAt: string
      carrier: string | null
      tracking: string | null
      /** Where it is followed. */
      href: string | null
      lines: { title: string; quantity: number }[]
    }[]
    /** Where it is picked up; null for what is sent. */
    pickup: { address: string; isReady: boolean } | null
    /** Whether digital content waits for the end of the right of withdrawal, and can be asked for at once. */
    mayAskAtOnce: boolean
    /** Whether anything that is left of it has a right of withdrawal, which a business has not. */
    canWithdraw: boolean
    /** When the buyer withdrew, as long as that has not been settled. */
    withdrawnAt: string | null
    /** What of it was withdrawn from and hasn't been settled. */
    withdrawn: { title: string; quantity: number }[]
    /** Whether it is delivered before it is paid. */
    onAccount: boolean
    total: number
    vat: VatSum[]
    /** The version of the terms of service that it was placed on. */
    termsVersion: string
    payment: PaymentMethod
    /** What has come in, in cents, by the way it came: “Paid by card”. */
    paid: { name: string; amount: number }[]
    /** What goes back or went, in cents, by its way: “Refunded to your card”. */
    refunds: { name: string; amount: number }[]
    invoice: {
      number: string
      reference: string
      due: string
      /** Cents that are still to be paid, with what paying late has cost; 0 where nothing is. */
      open: number
      /** What paying late has cost, in cents. */
      charges: { name: string; amount: number }[]
      /** What its credit notes took off, in cents, and of what: “1 × Racing cap, navy”. */
      credits: { number: string; amount: number; lines: string[] }[]
      /** Empty where nothing is left to pay. */
      iban: string
      /** What is shown for reference and barcode where the buyer’s bank is abroad; null where nothing is left to pay. */
      abroad: { bic: string | null; reference: string } | null
      barcode: string
      /** The barcode as an SVG element with a name; empty where nothing is left to pay. */
      barcodePicture: string
      href: string
    } | null
    downloads: Download[]
    /** What was licensed, in one line each, with the document once it is paid. */
    licences: { number: string; title: string; terms: string; href: string | null }[]
    address: string[] | null
  } | null
}

/** Asks for the digital content of an order at once, and gives up the right of withdrawal for it. */
export const askAtOnce = endpoint({
  method: 'POST',
  path: '/api/shop/orders/:token/at-once',
  input: z.object({
    token: z.string(),
    digitalWaiver: accepted('Please tick that you lose the right of withdrawal'),
  }),
  output: json<{ success: true }>(),
})

const notACode = 'Please enter the code from the email'

/** Of any length: what is none of ours is a page that is not there. */
const token = z.string()

/** The order of a success page. */
export const getOrder = endpoint({
  method: 'GET',
  path: '/api/shop/orders/:token',
  input: z.object({ token }),
  output: json<OrderView>(),
})

/** Asks for a code by email, or enters it, once the time of the success page is over. */
export const openOrder = endpoint({
  method: 'POST',
  path: '/api/shop/orders/:token/code',
  input: z.object({ token, code: z.optional(z.string(notACode).check(z.maxLength(20, notACode))) }),
  output: json<{ success: true; opened: boolean }>(),
})

const notALine = 'Please choose items by their number'
const notAPiece = 'Please choose a whole number of pieces'

/** A statement of withdrawal, in two steps: `confirm` makes it binding. */
export const withdraw = endpoint({
  method: 'POST',
  path: '/api/shop/withdraw',
  input: z.object({
    order: line('Please enter your order number', 40),
    name: line('Name is required', 100),
    email: emailAddress,
    /** Lines of the order from 1, and pieces; the whole order where it is left out. */
    lines: z.optional(
      z
        .array(
          z.object({
            line: z
              .int(notALine)
              .check(z.minimum(1, notALine), z.maximum(shopLimits.maxLines, notALine)),
            quantity: z.int(notAPiece).check(z.minimum(0, notAPiece), z.maximum(1000, notAPiece)),
          }),
          notALine,
        )
        .check(z.maxLength(shopLimits.maxLines, notALine)),
    ),
    confirm: z.optional(z.boolean('Please answer with true or false')),
    /** Honeypot: people never see it. */
    website: z.optional(
      z.string('Please leave this empty').check(z.maxLength(2000, 'Please leave this empty')),
    ),
  }),
  output: json<WithdrawReply>(),
})

/** A line of an order, for a withdrawal. */
export type WithdrawalLineView = {
  /** Its number in the order, from 1. */
  line: number
  title: string
  /** Pieces: those that can be chosen, or that were. */
  quantity: number
  /** Why there is no right of withdrawal; null where there is one. */
  why: string | null
  /** Pieces of these that had been sent. Those that hadn't are withdrawn from first. */
  sent: number
}

/** What becomes of a statement: its second step, or its acknowledgement. */
export type WithdrawReply = {
  success: true
  step: 'confirm' | 'done'
  /** ISO 8601 with Z, once it is binding. */
  receivedAt: string | null
  /** The lines to choose from, then those that were chosen; none for an order that is not the sender's. */
  lines: WithdrawalLineView[]
  /** Lines without a right of withdrawal, and why. */
  exempt: { title: string; why: string }[]
}
