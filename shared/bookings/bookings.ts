import * as z from 'zod/mini'
import type { BookingPart } from './invoice-parts.ts'
import { bookingLimits } from './limits.ts'
import type { BookingLine, BookingTotal, CancellationFee } from './price.ts'
import { isByDates, type SaleUnit } from './sale-units.ts'
import { endpoint, json } from '../endpoint.ts'
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
} from '../forms/fields.ts'
import type { ServicePrice } from '../services.ts'

/**
 * The life of a booking. `requested` holds its dates until it expires, `offered` until the offer of
 * staff ends; `quarantined` ones came without a valid proof beyond the limit, or are beyond a share:
 * they hold nothing and wait for staff, or for the link in the email to their visitor.
 */
export const bookingStates = [
  'requested',
  'offered',
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

/**
 * One day of {@link getAvailability}; `free` is how many places are left, `reason` says in words for
 * people why a day is closed.
 */
export type AvailableDay = { date: string; state: DayState; free: number; reason?: string }

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
  .check(z.minLength(1, 'Please choose a service'), z.maxLength(80, 'Unknown service'))

/** How free the days of a service are, from one date to another, both inclusive. */
export const getAvailability = endpoint({
  method: 'GET',
  path: '/api/bookings/availability',
  input: z.object({ service, from: civilDate, to: civilDate }),
  output: json<Availability>(),
})

const notACountry = 'Please choose a country'

/** A country, ISO alpha-2; an empty one counts as left out. */
export const country = z.pipe(
  optionalLine(2),
  z.optional(z.string().check(z.regex(/^[A-Z]{2}$/, notACountry))),
)

/** A VAT ID as it is written; spaces don't count. Whether there is such a one is another question. */
export const vatId = z.pipe(
  z.pipe(
    optionalLine(20),
    z.transform((value: string | undefined) => value?.replaceAll(/[\s.-]/g, '').toUpperCase()),
  ),
  z.optional(
    z
      .string()
      .check(z.regex(/^[A-Z]{2}[A-Z\d+*]{2,13}$/, 'Start with the country, such as FI12345671')),
  ),
)

/**
 * What a visitor asks for; the browser's form and the server read the same fields. Which of them a
 * service needs follows from how it is sold, see {@link missingFields}.
 */
export const bookingRequest = z.object({
  key: submissionKey,
  service,
  from: civilDate,
  /** Not of services by month or project. */
  to: z.optional(civilDate),
  start: z.optional(timeOfDay),
  end: z.optional(timeOfDay),
  /** Whose clock the times are by: Europe/Helsinki, or the zone of the event. */
  zone: optionalLine(60),
  place: optionalLine(bookingLimits.maxPlace),
  /** Of services by month or project. */
  scope: optionalText(bookingLimits.maxMessage),
  budget: optionalLine(bookingLimits.maxBudget),
  /** Id of an event of the calendar. */
  event: optionalLine(80),
  name: line('Name is required', bookingLimits.maxName),
  email: emailAddress,
  phone: optionalPhone,
  company: optionalLine(bookingLimits.maxCompany),
  country,
  vatId,
  message: optionalText(bookingLimits.maxMessage),
  terms: accepted('Please accept the terms'),
  /** Honeypot: people never see it. */
  website: z.optional(z.string().check(z.maxLength(2000))),
})

/** A well-formed request; whether its dates can be had is another question. */
export type BookingRequest = z.output<typeof bookingRequest>

/** What a request says of the work and of who asks, by the names of its fields. */
export type AskedField = Exclude<keyof BookingRequest, 'key' | 'terms' | 'website'>

/** What is missing of a request, by field: one for days needs the last of them and a place. */
export const missingFields = (
  unit: SaleUnit,
  { to, place }: Pick<BookingRequest, 'to' | 'place'>,
): Partial<Record<AskedField, string>> =>
  isByDates(unit)
    ? {
        ...(!to && { to: 'Please choose an end date' }),
        ...(!place && { place: 'Please tell us where the work takes place' }),
      }
    : {}

/** The reply to a request that was taken. */
export type BookingReply = {
  success: true
  reference: string
  state: 'requested'
  /** ISO 8601 with Z; null for a request that waits and holds no dates yet. */
  heldUntil: string | null
  /** What it waits for, in words for people; only of one that waits. */
  message?: string
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
  /** Null where there is no price to start from. */
  priceFrom: ServicePrice | null
  priceNote: string | null
  unit: SaleUnit
  /** What the price holds. */
  includes: readonly string[]
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
  /** Where who asks may be from. */
  countries: readonly { code: string; name: string }[]
  /** What cancelling costs, in sentences. */
  cancellation: string[]
  /** The same of work by month or project, which has a start and no event. */
  projectCancellation: string[]
  /** What is asked for at confirmation: per cent, from a total including VAT on (cents). */
  deposit: { percent: number; fromTotal: number } | null
  /** The event that the form was opened for, if it is there and can be booked. */
  event: {
    id: string
    title: string
    place: string
    from: string
    to: string
    /** Its hours, HH:MM by the clock of its zone; null where they aren't known. */
    start: string | null
    end: string | null
    /** IANA name. */
    zone: string | null
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
  /** Whether there is an offer to accept or turn down. */
  accept: boolean
  /** Whether whom to invoice can still be said. */
  billing: boolean
  /** What cancelling now would cost and settle, in sentences; none while nothing is agreed. */
  cancelling: string[]
  /** The fee that they name, in cents; sent back, it keeps a booking from being cancelled at another. */
  due: number
  /** A sentence for people where something is no longer possible. */
  reason: string | null
}

/** What a request says beside service, dates and times: each field with its name for people. */
export const detailLabels = {
  place: 'Place',
  event: 'Event',
  scope: 'Scope',
  budget: 'Budget',
  name: 'Name',
  email: 'Email',
  phone: 'Phone',
  company: 'Company',
  country: 'Country',
  vatId: 'VAT ID',
  message: 'Message',
} as const satisfies Record<Exclude<AskedField, 'service' | keyof BookingDates>, string>

/** Days and times of a booking. */
export type BookingDates = DateRange & {
  /** HH:MM by the clock of the zone; null for whole days. Of several days: the hours of each. */
  start: string | null
  end: string | null
  /** IANA name: Europe/Helsinki, or where the event is. */
  zone: string
}

/** What was asked for, as pages, emails, exports and the command line show it. */
export type BookingFacts = BookingDates &
  Record<keyof typeof detailLabels, string | null> & {
    name: string
    email: string
  }

/** An invoice of a booking; amounts in cents. */
export type BookingDocumentView = {
  order: string
  part: BookingPart
  /** Whether it's over travel that was lost because the organiser cancelled. */
  isTravel: boolean
  invoice: number | null
  total: number
  /** What its credit notes took off. */
  credited: number
  /** What is still to be paid, with what paying late has cost. */
  open: number
  /** What of it paying late has cost. */
  charges: number
  /** How it was paid so far; null for not at all. */
  paidBy: 'card' | 'bank transfer' | 'card and bank transfer' | null
  /** Whether the rest can be paid by card now. */
  isPayableByCard: boolean
  state: 'open' | 'paid' | 'cancelled' | 'refunded'
  dueOn: string | null
  url: string
}

/** A booking as its visitor sees it. */
export type BookingView = BookingFacts & {
  reference: string
  state: BookingState
  service: { slug: string; title: string }
  unit: SaleUnit
  /** What it costs as things stand, and what was agreed once it is; empty while there is no price. */
  lines: BookingLine[]
  total: BookingTotal
  /** Whether travel is still to be quoted. */
  travelQuoted: boolean
  /**
   * What staff offer: until when it can be accepted, their note, the dates that were asked for, and the
   * terms and rules that accepting it agrees to, the latter in sentences.
   */
  offer: {
    id: string
    validUntil: string
    note: string | null
    asked: DateRange | null
    termsVersion: string
    cancellation: string[]
    deposit: number | null
  } | null
  /** What was agreed and when, with the rules of cancelling as they were then, in sentences. */
  agreement: {
    agreedAt: string
    termsVersion: string
    cancellation: string[]
    deposit: number | null
  } | null
  /** Other dates that are asked for while these stand, and what they cost in words; null where that stays. */
  change: (DateRange & { heldUntil: string; price: string | null }) | null
  /** The address of the invoice, as far as it is known. */
  address: {
    street: string | null
    postcode: string | null
    city: string | null
    /** State, province or territory. */
    region: string | null
  }
  /** Why VAT is charged in spite of its VAT ID, in sentences; null where nothing is to be said. */
  vatProblem: string | null
  /** What the invoice still needs, by the names of the fields. */
  missing: readonly string[]
  /** For the choice of whom to invoice; none where it can't be said. `hasStates` asks for `region`. */
  countries: readonly { code: string; name: string; hasStates?: true }[]
  documents: BookingDocumentView[]
  /** What cancelling it cost, while the invoice of it still needs an address. */
  fee: CancellationFee | null
  /** What staff said with their answer. */
  answer: string | null
  heldUntil: string | null
  /** Whether it goes on and its visitor gets emails about it, which have the link of this page. */
  isEmailed: boolean
  /**
   * What a request waits for that holds no dates, and when it ends: the link in the email to its
   * visitor, staff because of a limit, or staff who check that a person sent it.
   */
  waits: { for: 'link' | 'staff' | 'check'; until: string } | null
  /** When its client withdrew from the contract, as long as staff haven't dealt with that; ISO 8601 with Z. */
  withdrawnAt: string | null
  /** How far its days have come by the clock of `zone`; work by month or project has no known end. */
  stage: 'ahead' | 'on' | 'over'
  /** ISO 8601 with Z. */
  requestedAt: string
  acts: BookingActs
}
