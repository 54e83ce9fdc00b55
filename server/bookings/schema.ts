import * as z from 'zod/mini'
import type { BookingLine, CancellationFee } from '#shared/bookings/price.ts'
import { saleUnits, type SaleUnit } from '#shared/bookings/sale-units.ts'
import { vatCheckSchema } from '#shared/shop/vat-check.ts'
import type { CancellationRules } from '#shared/bookings/cancellation.ts'
import { bookingStates, type BookingState } from '#shared/bookings/bookings.ts'
import type { CivilDate } from '#shared/dates/civil-dates.ts'
import {
  defineTable,
  flag,
  integer,
  json,
  made,
  nullable,
  text,
  textOf,
  type NewRowOf,
  type RowOf,
} from '../db/table.ts'

const cents = z.int()

const line: z.ZodMiniType<BookingLine> = z.object({
  kind: z.enum(['service', 'travel', 'extra', 'discount']),
  text: z.string(),
  quantity: z.int(),
  unit: z.nullable(z.enum(saleUnits)),
  price: cents,
  net: cents,
  rate: z.number(),
  gross: cents,
})

const cancellationFee: z.ZodMiniType<CancellationFee> = z.object({
  net: cents,
  vat: cents,
  gross: cents,
  isTravel: z.optional(z.literal(true)),
})

/** The schema of cancellation rules, as they are frozen in an agreement. */
const cancellation: z.ZodMiniType<CancellationRules> = z.object({
  freeUntilDays: z.int(),
  shares: z.array(z.object({ untilDays: z.int(), percent: z.number() })),
})

const billing = z.object({
  name: z.string(),
  company: z.nullable(z.string()),
  /** ISO alpha-2. */
  country: z.nullable(z.string()),
  vatId: z.nullable(z.string()),
  street: z.nullable(z.string()),
  postcode: z.nullable(z.string()),
  city: z.nullable(z.string()),
  /** State, province or territory; none in agreements of earlier versions. */
  region: z._default(z.nullable(z.string()), null),
})

/** Whom to invoice. */
export type Billing = z.output<typeof billing>

/** What staff offer for a request: lines of their own, maybe other dates. */
const offer = z.object({
  /** The dates that were asked for, where the offer is over others. */
  asked: z.nullable(z.object({ from: z.string(), to: z.string() })),
  lines: z.array(line),
  note: z.nullable(z.string()),
  /** Milliseconds of the epoch; the first instant at which it can't be accepted any more. */
  validUntil: z.int(),
  madeAt: z.int(),
  by: z.string(),
})

/** On what a booking is asked for or offered, as its customer was shown it. */
const conditions = z.object({
  cancellation,
  /** What is invoiced at confirmation: per cent, from so many cents including VAT on. */
  deposit: z.nullable(z.object({ percent: z.number(), fromTotal: z.int() })),
})

/** The rules that a customer was shown with a request or an offer. */
export type Conditions = z.output<typeof conditions>

const agreement = z.object({
  agreedAt: z.int(),
  /** By whom: staff who confirmed, or the visitor who accepted. */
  by: z.string(),
  /** How it came about. */
  way: z.enum(['confirmed', 'accepted', 'by-phone']),
  from: z.string(),
  to: z.string(),
  lines: z.array(line),
  billing,
  /** When whom to invoice became known or changed after that, in milliseconds of the epoch. */
  billedAt: z.optional(z.int()),
  termsVersion: z.string(),
  cancellation,
  /** Per cent that is invoiced at confirmation. */
  deposit: z.nullable(z.number()),
})

/** What was agreed, frozen as it was then. */
export type Agreement = z.output<typeof agreement>

/** Other dates that the visitor of a confirmed booking asks for; both are held until staff answer. */
const change = z.object({
  from: z.string(),
  to: z.string(),
  /** Milliseconds of the epoch; unanswered by then, the old dates stand. */
  heldUntil: z.int(),
  askedAt: z.int(),
})

/** What a decision of staff replaced, and until when it can be taken back. */
const undo = z.object({
  /** Milliseconds of the epoch; then the email about it leaves. */
  until: z.int(),
  by: z.string(),
  /** Of the booking after the decision, which the key of its email has, too. */
  sequence: z.int(),
  was: z.object({
    state: z.enum(bookingStates),
    from: z.string(),
    to: z.string(),
    lines: z.array(line),
    answer: z.nullable(z.string()),
    heldUntil: z.nullable(z.int()),
    agreement: z.nullable(agreement),
    change: z.nullable(change),
  }),
  /** When it was decided, in milliseconds; missing in rows of earlier versions, as the next ones. */
  at: z.optional(z.int()),
  /** How many invoices and credit notes it had by then. */
  documents: z.optional(z.int()),
  /** The booking as its customer last heard of it: an email that was dropped told them nothing. */
  heard: z.optional(
    z.object({
      state: z.enum(bookingStates),
      from: z.string(),
      to: z.string(),
      start: z.nullable(z.string()),
      end: z.nullable(z.string()),
      place: z.string(),
      scope: z.nullable(z.string()),
      change: z.nullable(change),
    }),
  ),
})

/** The bookings. Times are milliseconds of the epoch, dates civil dates. */
export const bookings = defineTable('bookings', {
  id: integer(),
  reference: text(),
  /** Drawn by the client for one submission. */
  key: text(),
  contentHash: text(),
  /** What its links are signed over. */
  secret: nullable(text()),
  state: textOf<BookingState>(),
  /** Grows with every change. */
  sequence: integer(),
  service: text(),
  /** How the service was sold when it was asked for. */
  unit: textOf<SaleUnit>(),
  /** Of a service by month or project: the wished start, in both. */
  from: textOf<CivilDate>('first_date'),
  to: textOf<CivilDate>('last_date'),
  /** Days before and after on which the crew is on the road. */
  travelDays: integer(),
  /** HH:MM by the clock of {@link zone}; null for whole days. Of several days: the hours of each. */
  start: nullable(text('start_time')),
  end: nullable(text('end_time')),
  /** IANA name: Helsinki, or where its event is. */
  zone: text(),
  /** Empty for a service by month or project that names none. */
  place: text(),
  scope: nullable(text()),
  budget: nullable(text()),
  eventId: nullable(text()),
  eventTitle: nullable(text()),
  name: text(),
  email: text(),
  phone: nullable(text()),
  company: nullable(text()),
  /** ISO alpha-2. */
  country: nullable(text()),
  vatId: nullable(text()),
  /** What the union's register said of it, when its price was worked out last. */
  vatCheck: nullable(json(vatCheckSchema)),
  street: nullable(text()),
  postcode: nullable(text()),
  city: nullable(text()),
  /** State, province or territory. */
  region: nullable(text()),
  message: nullable(text()),
  /** What staff said with their last answer. */
  answer: nullable(text()),
  /** What it costs as things stand; empty while there is no price. */
  lines: json(z.array(line)),
  /** The version of the terms that were accepted with the request. */
  termsVersion: nullable(text()),
  offer: nullable(json(offer)),
  /** Null in rows of earlier versions. */
  conditions: nullable(json(conditions)),
  agreement: nullable(json(agreement)),
  change: nullable(json(change)),
  /** What cancelling it cost, while the invoice of it still needs an address. */
  fee: nullable(json(cancellationFee)),
  /** The last decision of staff, while its email can still be held back. */
  undo: nullable(json(undo)),
  /** For staff and, on the call sheet, the crew; never for its customer. */
  note: nullable(text()),
  /** Whether its customer gets emails about it; false for someone who only calls. */
  mails: flag(),
  requestedAt: integer(),
  changedAt: integer(),
  heldUntil: nullable(integer()),
  /** Keyed hash of the sender's network. */
  network: text(),
  proven: flag(),
  /**
   * Since when it is certain that it comes from its address: made in its client's session, or
   * answered by staff. Null while anyone may have sent it.
   */
  verifiedAt: nullable(integer()),
})

/** What stays with the store: keys and hashes that no page, email or export has a use for. */
const inner = ['key', 'contentHash', 'secret', 'network'] as const

/** A booking as the rest of the site knows it. */
export type Booking = Omit<RowOf<typeof bookings>, (typeof inner)[number]>

/** What a new booking is made from. */
export type NewBooking = Omit<
  NewRowOf<typeof bookings>,
  | 'id'
  | 'secret'
  | 'sequence'
  | 'answer'
  | 'changedAt'
  | 'offer'
  | 'agreement'
  | 'change'
  | 'fee'
  | 'undo'
  | 'note'
  | 'zone'
  | 'mails'
  | 'conditions'
> &
  Partial<Pick<Booking, 'zone' | 'mails' | 'conditions'>>

/** A row as the rest of the site knows it. */
export function toBooking(row: RowOf<typeof bookings>): Booking {
  const booking: Partial<RowOf<typeof bookings>> = { ...row }
  for (const key of inner) delete (booking as Record<string, unknown>)[key]
  return booking as Booking
}

/** Whom the invoice of a booking goes to, as far as it is known. */
export const billingOf = ({
  name,
  company,
  country,
  vatId,
  street,
  postcode,
  city,
  region,
}: Booking): Billing => ({ name, company, country, vatId, street, postcode, city, region })

/** Which bookings to list: those whose days lie between two dates, in some state. */
export type BookingFilter = { from?: CivilDate; to?: CivilDate; state?: BookingState }

/** How many bookings occupy a day, kept in step with every change of a state. */
export const bookingDays = defineTable('booking_days', {
  date: textOf<CivilDate>(),
  service: text(),
  held: integer(),
  confirmed: integer(),
  travelling: integer(),
})

/** Days that staff have blocked. */
export const bookingBlocks = defineTable('booking_blocks', {
  id: made(integer()),
  from: textOf<CivilDate>('first_date'),
  to: textOf<CivilDate>('last_date'),
  /** Null for all services. */
  service: nullable(text()),
  reason: text(),
  /** One person of the crew; null for all of them. */
  person: nullable(text()),
  /** Places of the service; null for the whole of it. */
  places: nullable(integer()),
  createdAt: integer(),
  author: text(),
})

/** Who works on which booking. */
export const bookingCrew = defineTable('booking_crew', {
  bookingId: integer(),
  person: text(),
  assignedAt: integer(),
  author: text(),
})

/** Bookings to come that were erased with their person, for staff's calendars. */
export const erasedBookings = defineTable('erased_bookings', {
  reference: text(),
  service: text(),
  from: textOf<CivilDate>('first_date'),
  to: textOf<CivilDate>('last_date'),
  sequence: integer(),
  erasedAt: integer(),
})

/** Days that staff have blocked. */
export type Block = RowOf<typeof bookingBlocks>
