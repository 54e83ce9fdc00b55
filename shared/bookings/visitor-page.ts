import * as z from 'zod/mini'
import { bookingLimits } from './limits.ts'
import {
  country,
  vatId,
  type AvailableDay,
  type BookingForm,
  type BookingView,
} from './bookings.ts'
import { endpoint, json } from '../endpoint.ts'
import { civilDate, optionalLine } from '../forms/fields.ts'

// What a visitor does with a booking by its signed link. It stands apart from the form, whose page
// has no use for it.

/** Of any length: what is none of ours is a page that is not there. */
const token = z.string()

/** The visitor's own page of a booking, by its signed link. */
export const getBooking = endpoint({
  method: 'GET',
  path: '/api/bookings/by-link/:token',
  input: z.object({ token }),
  output: json<BookingView>(),
})

/**
 * Cancels a booking by its visitor's link; 410 once it is too late. `due` is the fee in cents that was
 * shown, 409 once it's another; without it the booking is cancelled at whatever it costs.
 */
export const cancelBooking = endpoint({
  method: 'POST',
  path: '/api/bookings/by-link/:token/cancel',
  input: z.object({ token, due: z.optional(z.int()) }),
  output: json<{ success: true }>(),
})

/** How free a month is for a booking that moves, and between which dates it may. */
export type DaysToMove = Pick<BookingForm, 'today' | 'earliest' | 'latest'> & {
  /** YYYY-MM. */
  month: string
  days: AvailableDay[]
}

/** A month in which a booking could move, by its visitor's link; its own days count as free. */
export const getDaysToMove = endpoint({
  method: 'GET',
  path: '/api/bookings/by-link/:token/days',
  input: z.object({ token, month: z.optional(z.string().check(z.maxLength(20))) }),
  output: json<DaysToMove>(),
})

/** Asks for other dates by the visitor's link; 409 `taken` with the nearest free ones. */
export const moveBooking = endpoint({
  method: 'POST',
  path: '/api/bookings/by-link/:token/move',
  input: z.object({ token, from: civilDate, to: civilDate }),
  output: json<{ success: true }>(),
})

/** The offer that was on the page. */
const offerShown = z.optional(z.string().check(z.maxLength(40)))

/**
 * Accepts the offer of staff by the visitor's link; 409 when it changed or was answered, 410 when it
 * has ended. `offer` is the one that was shown; without it the current one.
 */
export const acceptOffer = endpoint({
  method: 'POST',
  path: '/api/bookings/by-link/:token/accept',
  input: z.object({ token, offer: offerShown }),
  output: json<{ success: true }>(),
})

/** Turns an offer down by the visitor's link; `offer` and failures as in {@link acceptOffer}. */
export const refuseOffer = endpoint({
  method: 'POST',
  path: '/api/bookings/by-link/:token/refuse',
  input: z.object({ token, offer: offerShown }),
  output: json<{ success: true }>(),
})

/**
 * Leads to the page where an invoice of a booking is paid by card; 409 when nothing is left to pay, or a
 * payment is on its way, 502 while the payment service doesn't answer.
 */
export const payByCard = endpoint({
  method: 'POST',
  path: '/api/bookings/by-link/:token/pay',
  input: z.object({
    token,
    /** The order of the invoice; without it the first one that can be paid. */
    order: z.optional(z.string().check(z.maxLength(20))),
  }),
  output: json<{ success: true; next: string }>(),
})

/** Whom to invoice, as the visitor says it; empty fields take nothing away from what is known. */
export const billingFields = z.object({
  company: optionalLine(bookingLimits.maxCompany),
  country,
  vatId,
  street: optionalLine(bookingLimits.maxAddress),
  postcode: optionalLine(20),
  city: optionalLine(bookingLimits.maxAddress),
  /** State, province or territory; a booking's own state has the name. */
  region: optionalLine(60),
})

/** A valid {@link billingFields}. */
export type BillingEntries = z.output<typeof billingFields>

/** The same from staff, who can also take something away that is wrong: null. */
export type BillingEdit = { [Field in keyof BillingEntries]: BillingEntries[Field] | null }

/** The billing details that staff gave as an empty text, which takes them away. */
export const clearedBilling = (
  given: Readonly<Record<string, unknown>>,
): Partial<Record<keyof BillingEntries, null>> =>
  Object.fromEntries(
    Object.keys(billingFields.shape)
      .filter((name) => typeof given[name] === 'string' && given[name].trim() === '')
      .map((name) => [name, null]),
  )

/** Tells us whom to invoice, by the visitor's link. */
export const setBilling = endpoint({
  method: 'POST',
  path: '/api/bookings/by-link/:token/billing',
  input: z.extend(billingFields, { token }),
  output: json<{ success: true }>(),
})
