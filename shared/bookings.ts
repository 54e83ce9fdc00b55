import { bookingLimits } from './booking-limits.ts'
import * as z from 'zod/mini'
import { endpoint, json } from './endpoint.ts'
import {
  accepted,
  civilDate,
  emailAddress,
  line,
  optionalLine,
  optionalPhone,
  optionalText,
  submissionKey,
  timeOfDay,
} from './fields.ts'

/**
 * The life of a booking. `requested` holds its dates until it expires; `quarantined` ones came
 * without a valid proof beyond the limit: they hold nothing and wait for staff.
 */
export const bookingStates = [
  'requested',
  'confirmed',
  'declined',
  'cancelled',
  'expired',
  'quarantined',
] as const

/** One of {@link bookingStates}. */
export type BookingState = (typeof bookingStates)[number]

/**
 * A day of a service: `free`, `limited` (some places left), `held` (none left, at least one of them
 * only held), `taken` (none left, all confirmed) or `closed` (not to be booked at all).
 */
export type DayState = 'free' | 'limited' | 'held' | 'taken' | 'closed'

/** One day of {@link getAvailability}; `free` is how many places are left. */
export type AvailableDay = { date: string; state: DayState; free: number }

/** An inclusive range of civil dates. */
export type DateRange = { from: string; to: string }

/** How free the days of a service are. */
export type Availability = {
  success: true
  zone: 'Europe/Helsinki'
  service: string
  days: AvailableDay[]
}

const service = z
  .string('Please choose a service')
  .check(z.minLength(1, 'Please choose a service'), z.maxLength(80, 'There is no such service'))

/** How free the days of a service are, from one date to another, both inclusive. */
export const getAvailability = endpoint({
  method: 'GET',
  path: '/api/bookings/availability',
  input: z.object({ service, from: civilDate, to: civilDate }),
  output: json<Availability>(),
})

/** What a visitor asks for; the browser's form and the server read the same fields. */
export const bookingRequest = z.object({
  key: submissionKey,
  service,
  from: civilDate,
  to: civilDate,
  start: z.optional(timeOfDay),
  end: z.optional(timeOfDay),
  place: line('Please tell us where the work takes place', bookingLimits.placeMost),
  /** Id of an event of the calendar. */
  event: optionalLine(80),
  name: line('Name is required', bookingLimits.nameMost),
  email: emailAddress,
  phone: optionalPhone,
  company: optionalLine(bookingLimits.companyMost),
  message: optionalText(bookingLimits.messageMost),
  terms: accepted('Please accept the terms'),
  /** Honeypot: people never see it. */
  website: z.optional(z.string().check(z.maxLength(2000))),
})

/** A well-formed request; whether its dates can be had is another question. */
export type BookingRequest = z.output<typeof bookingRequest>

/** The reply to a request that was taken. */
export type BookingReply = {
  success: true
  reference: string
  state: 'requested'
  /** ISO 8601 with Z. */
  heldUntil: string
  /** Of the visitor's own page of the booking; absolute. */
  url: string
  /** Whether the same key came before; left out of the reply's meaning for people. */
  repeat?: true
}

/** Asks for dates; 201, or 200 for the same key again. */
export const requestBooking = endpoint({
  method: 'POST',
  path: '/api/bookings',
  input: bookingRequest,
  output: json<BookingReply>(({ repeat }) => (repeat ? 200 : 201)),
})

/** A service as the booking form offers it. */
export type BookableService = {
  slug: string
  title: string
  description: string
  /** Cents including VAT, and the rate in percent; null where there is no price to start from. */
  priceFrom: { gross: number; rate: number } | null
  priceNote: string | null
}

/** What the booking form is made from. */
export type BookingForm = {
  services: BookableService[]
  /** Today, the first and the last date that can be asked for, as civil dates in Helsinki. */
  today: string
  earliest: string
  latest: string
  /** Hours for which a request holds its dates, and days before its start when changes end. */
  holdHours: number
  cutOffDays: number
  noticeHours: number
  /** The event that the form was opened for, if it is there and can be booked. */
  event: {
    id: string
    title: string
    place: string
    from: string
    to: string
  } | null
}

/** The services, rules and prefilled event of the form. */
export const getBookingForm = endpoint({
  method: 'GET',
  path: '/api/bookings/form',
  input: z.object({ event: z.optional(z.string().check(z.maxLength(80))) }),
  output: json<BookingForm>(),
})

/** What may be done with a booking now, and if not, why. */
export type BookingActs = {
  cancel: boolean
  move: boolean
  /** A sentence for people where something is no longer possible. */
  reason: string | null
}

/** A booking as its visitor sees it. */
export type BookingView = {
  reference: string
  state: BookingState
  service: { slug: string; title: string }
  from: string
  to: string
  start: string | null
  end: string | null
  place: string
  event: string | null
  name: string
  email: string
  phone: string | null
  company: string | null
  message: string | null
  /** What staff said with their answer. */
  answer: string | null
  heldUntil: string | null
  /** ISO 8601 with Z. */
  requestedAt: string
  acts: BookingActs
}

const token = z.string().check(z.maxLength(300))

/** The visitor's own page of a booking, by its signed link. */
export const getBooking = endpoint({
  method: 'GET',
  path: '/api/bookings/by-link/:token',
  input: z.object({ token }),
  output: json<BookingView>(),
})

/** A booking as staff see it by the link in their mail, with what collides. */
export type StaffBookingView = BookingView & {
  /** Other bookings, blocked days and people that stand against confirming it now. */
  conflicts: string[]
  /** Whether it can be confirmed or declined now. */
  open: boolean
}

/** Staff's page of a booking, by the signed link in their mail. */
export const getStaffBooking = endpoint({
  method: 'GET',
  path: '/api/bookings/by-staff-link/:token',
  input: z.object({ token }),
  output: json<StaffBookingView>(),
})

/** Cancels a booking by its visitor's link; 410 once it is too late. */
export const cancelBooking = endpoint({
  method: 'POST',
  path: '/api/bookings/by-link/:token/cancel',
  input: z.object({ token }),
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

/** Confirms or declines by the link in staff's mail, with a text for the visitor. */
export const answerBooking = endpoint({
  method: 'POST',
  path: '/api/bookings/by-staff-link/:token',
  input: z.object({
    token,
    act: z.enum(['confirm', 'decline']),
    text: optionalText(bookingLimits.messageMost),
  }),
  output: json<{ success: true }>(),
})
