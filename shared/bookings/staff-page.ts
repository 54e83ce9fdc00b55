import * as z from 'zod/mini'
import { bookingLimits } from './limits.ts'
import { billingFields } from './visitor-page.ts'
import { bookingRequest, type BookingState, type BookingView } from './bookings.ts'
import { endpoint, json } from '../endpoint.ts'
import {
  civilDate,
  emailAddress,
  line,
  optionalLine,
  optionalPhone,
  optionalText,
  timeOfDay,
} from '../forms/fields.ts'

/** A booking as staff see it by the link in their email, with what collides. */
export type StaffBookingView = Omit<BookingView, 'state'> & {
  state: BookingState
  /** Other bookings, blocked days and people that prevent confirming it now. */
  conflicts: string[]
  /** Why its price doesn't follow the dates that its customer asks for; null where it does. */
  staleLines: string | null
  /** What can be done with it now. */
  can: { confirm: boolean; offer: boolean; decline: boolean; cancel: boolean }
  /** What cancelling now costs and settles, in sentences, by who cancels. */
  cancellingBecause: Record<CancelReason, string[]>
  /** Until when the last decision can be taken back, ISO 8601; null where there is none. */
  undoUntil: string | null
  /** Staff's own note, which is on the call sheet, too. */
  note: string | null
  /** Who of the crew works on it. */
  crew: string[]
  /** Grows with every change; sent back with a decision, it keeps staff from deciding unseen. */
  sequence: number
  /** The last day on which an offer can be accepted unless staff say otherwise. */
  offerUntil: string
}

/** Who wants to cancel: the customer, the organiser of the event, or us. */
export const cancelReasons = ['customer', 'organiser', 'us'] as const

/** One of {@link cancelReasons}. */
export type CancelReason = (typeof cancelReasons)[number]

/** Of any length: what is none of ours is a page that is not there. */
const token = z.string()

/** Staff's page of a booking, by the signed link in their email. */
export const getStaffBooking = endpoint({
  method: 'GET',
  path: '/api/bookings/by-staff-link/:token',
  input: z.object({ token }),
  output: json<StaffBookingView>(),
})

/** A net amount in cents. */
export const netAmount = z
  .number('Please enter an amount, such as 890 or 890.50')
  .check(z.int('An amount has at most two decimals'), z.minimum(0), z.maximum(100_000_000))

/** What staff offer: net amounts in cents. */
export const offerEntries = z.object({
  /** Without any, the price of the service on the dates of the offer. */
  lines: z.optional(
    z
      .array(
        z.object({
          text: line('Please say what this line is for', bookingLimits.maxLine),
          quantity: z.int('Please enter a whole number').check(z.minimum(1), z.maximum(1000)),
          price: netAmount,
        }),
      )
      .check(z.maxLength(20, 'At most 20 lines')),
  ),
  /** That lines entered by hand keep their price although there are more days, or fewer. */
  keepLines: z.optional(z.boolean()),
  travel: z.optional(netAmount),
  discount: z.optional(netAmount),
  /** Other dates than those that were asked for. */
  from: z.optional(civilDate),
  to: z.optional(civilDate),
  /** The last day on which it can be accepted. */
  validUntil: z.optional(civilDate),
})

/** A valid {@link offerEntries}. */
export type OfferEntries = z.output<typeof offerEntries>

/** Confirms, offers, declines or cancels by the link in staff's email, with a text for the visitor. */
export const answerBooking = endpoint({
  method: 'POST',
  path: '/api/bookings/by-staff-link/:token',
  input: z.object({
    token,
    act: z.enum(['confirm', 'offer', 'decline', 'cancel', 'undo']),
    text: optionalText(bookingLimits.maxMessage),
    offer: z.optional(offerEntries),
    because: z.optional(z.enum(cancelReasons)),
    /** Net cents of travel that we can't get back, if the organiser cancels; without it, all of it. */
    travel: z.optional(netAmount),
    /** Of {@link StaffBookingView}; 409 when the booking has changed since. */
    sequence: z.optional(z.int()),
  }),
  output: json<{ success: true }>(),
})

/** What staff enter for someone who called: as the form, but an email address only for emails. */
export const enteredBooking = z.object({
  ...bookingRequest.shape,
  ...billingFields.shape,
  email: z.optional(emailAddress),
  key: z.optional(z.never()),
  terms: z.optional(z.never()),
  note: optionalText(bookingLimits.maxMessage),
  /** Whether its customer gets emails about it. */
  mails: z.boolean(),
  /** Whether it's kept although its days are closed or full. */
  anyway: z.optional(z.boolean()),
})

/** A valid {@link enteredBooking}. */
export type EnteredBooking = z.output<typeof enteredBooking>

/** An empty text takes the value away. What is wrong with any other is said in the words of its own schema. */
const emptied = <Output>(schema: z.ZodMiniType<Output>) =>
  z.optional(
    z.union([z.literal(''), schema], {
      error: (issue) =>
        issue.code === 'invalid_union' ? issue.errors.at(-1)?.[0]?.message : undefined,
    }),
  )

/** What staff mend of a booking. */
export const bookingEdit = z.object({
  start: emptied(timeOfDay),
  end: emptied(timeOfDay),
  place: emptied(optionalLine(bookingLimits.maxPlace)),
  scope: emptied(optionalText(bookingLimits.maxMessage)),
  budget: emptied(optionalLine(bookingLimits.maxBudget)),
  name: emptied(optionalLine(bookingLimits.maxName)),
  email: z.optional(emailAddress),
  phone: emptied(optionalPhone),
  note: emptied(optionalText(bookingLimits.maxMessage)),
})

/** A valid {@link bookingEdit}. */
export type BookingEdit = z.output<typeof bookingEdit>
