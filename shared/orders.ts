import * as z from 'zod/mini'
import { endpoint, json } from './endpoint.ts'
import { accepted, emailAddress, line, optionalLine, submissionKey } from './fields.ts'
import { country, type CartLine, type VatSum } from './shop.ts'

/** How an order can be paid; `stripe` only where it is configured. */
export const paymentMethods = ['invoice', 'stripe'] as const
/** One of {@link paymentMethods}. */
export type PaymentMethod = (typeof paymentMethods)[number]

/**
 * The life of an order. `pending` waits for its payment and holds its pieces; `open` has an unpaid
 * invoice; `attention` was paid after its pieces went to another buyer.
 */
export const orderStates = [
  'pending',
  'open',
  'paid',
  'shipped',
  'cancelled',
  'refunded',
  'expired',
  'attention',
] as const
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
  postcode: optionalLine(20),
  city: optionalLine(100),
  country,
  payment: z.enum(paymentMethods, 'Please choose how to pay'),
  terms: accepted('Please accept the terms'),
  digitalWaiver: z.optional(z.boolean('Please answer with true or false')),
  /** Cents including VAT and shipping that the visitor was shown. */
  expectedTotal: z
    .number('The total is missing')
    .check(z.int('The total is no number of cents'), z.minimum(0), z.maximum(100_000_000)),
  /** Honeypot: people never see it. */
  website: z.optional(
    z.string('Please leave this empty').check(z.maxLength(2000, 'Please leave this empty')),
  ),
})
/** A valid {@link checkoutRequest}. */
export type CheckoutRequest = z.output<typeof checkoutRequest>

/** The reply to an order that was taken. */
export type CheckoutReply = {
  success: true
  order: string
  token: string
  total: number
  /** The success page, or the page of the payment service; absolute. */
  next: string
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
  needs: { address: boolean; waiver: boolean }
  /** Exempt lines of the cart: what cannot be sent back, and why. */
  exempt: { title: string; why: string }[]
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
  /** Null once the page's time is over, until the code from the mail is entered. */
  details: {
    placedAt: string
    name: string
    email: string
    lines: CartLine[]
    shipping: number
    /** Whether anything of it goes by post. */
    isSent: boolean
    total: number
    vat: VatSum[]
    payment: PaymentMethod
    invoice: {
      number: string
      reference: string
      due: string
      /** Empty where nothing is left to pay. */
      iban: string
      barcode: string
      /** The barcode as an SVG element with a name; empty where nothing is left to pay. */
      barcodePicture: string
      href: string
    } | null
    downloads: Download[]
    address: string[] | null
  } | null
}

const notACode = 'Please enter the code from the mail'

const token = z.string().check(z.maxLength(300))

/** The order of a success page. */
export const getOrder = endpoint({
  method: 'GET',
  path: '/api/shop/orders/:token',
  input: z.object({ token }),
  output: json<OrderView>(),
})

/** Asks for a code by mail, or enters it, once the time of the success page is over. */
export const openOrder = endpoint({
  method: 'POST',
  path: '/api/shop/orders/:token/code',
  input: z.object({ token, code: z.optional(z.string(notACode).check(z.maxLength(20, notACode))) }),
  output: json<{ success: true; opened: boolean }>(),
})

/** A statement of withdrawal, in two steps: `confirm` makes it binding. */
export const withdraw = endpoint({
  method: 'POST',
  path: '/api/shop/withdraw',
  input: z.object({
    order: line('Please enter your order number', 40),
    name: line('Name is required', 100),
    email: emailAddress,
    confirm: z.optional(z.boolean('Please answer with true or false')),
    /** Honeypot: people never see it. */
    website: z.optional(
      z.string('Please leave this empty').check(z.maxLength(2000, 'Please leave this empty')),
    ),
  }),
  output: json<WithdrawReply>(),
})

/** What becomes of a statement: its second step, or its acknowledgement. */
export type WithdrawReply = {
  success: true
  step: 'confirm' | 'done'
  /** ISO 8601 with Z, once it is binding. */
  receivedAt: string | null
  /** Lines without a right of withdrawal, and why. */
  exempt: { title: string; why: string }[]
}
