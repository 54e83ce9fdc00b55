import { randomBytes } from 'node:crypto'
import { ratedAt, serviceLines } from '#shared/bookings/price.ts'
import { isByDates } from '#shared/bookings/sale-units.ts'
import { missingFields, type BookableService } from '#shared/bookings/bookings.ts'
import type { BookingEdit, EnteredBooking } from '#shared/bookings/staff-page.ts'
import { hasStates } from '#shared/shop/address-rules.ts'
import { dateAt } from '#shared/dates/civil-dates.ts'
import { failure } from '#shared/failures.ts'
import type { Transaction } from '../../db/group-commit.ts'
import { mailboxOf } from '../../mail/recipient.ts'
import { newReference } from '../../secrets/ids.ts'
import { holdEnd } from '../days/hold-end.ts'
import { occupy, release } from '../days/occupation.ts'
import type { Booking } from '../schema.ts'
import { changed, type Changed } from './changes.ts'
import {
  checkCountry,
  checkPostcode,
  checkRegion,
  checkOrder,
  checkPlaces,
  fieldProblem,
  timesOf,
  type BookingDeps,
} from './checks.ts'

/** The address of a customer who gets no emails. */
const noEmail = ''

/**
 * Keeps a booking that staff enter, such as one from the phone. Notice, horizon and the limits on
 * strangers don't count; its days have to be free unless staff say `anyway`.
 * @throws invalid by field; `taken` with the nearest free dates
 */
export function enter(
  tx: Transaction,
  deps: BookingDeps,
  entries: EnteredBooking,
  {
    service,
    rate,
    vatCheck,
    eventTitle,
  }: {
    service: BookableService
    rate: number
    vatCheck: Booking['vatCheck']
    eventTitle: string | null
  },
): Booking {
  const { rules, bookings, clock } = deps
  const now = clock()
  const inForce = rules()
  if (!inForce.services[service.slug]) throw fieldProblem('service', 'Unknown service')
  const { unit } = service
  const holdsDays = isByDates(unit)
  const days = { from: entries.from, to: (holdsDays && entries.to) || entries.from }
  const missing = missingFields(unit, { ...entries, to: days.to })
  if (Object.keys(missing).length > 0) throw failure('invalid', { errors: missing })
  checkOrder(days)
  checkCountry(entries)
  if (entries.street || entries.region) checkRegion(entries)
  checkPostcode(entries)
  if (days.to < dateAt(now)) throw fieldProblem('from', 'This day has passed')
  if (!entries.email && entries.mails) {
    throw fieldProblem('email', 'Enter an email address, or have no emails sent')
  }
  if (entries.event && eventTitle === null) {
    throw fieldProblem('event', 'Unknown or cancelled event')
  }
  const asked = { service: service.slug, unit, ...days }
  const times = holdsDays ? timesOf(entries, days) : { start: null, end: null }
  if (holdsDays && !entries.anyway) checkPlaces(deps, asked, { anyDay: true })
  for (;;) {
    const booking = bookings.insert(tx, {
      reference: newReference('B'),
      key: `staff-${randomBytes(12).toString('hex')}`,
      contentHash: 'staff',
      state: 'requested',
      ...asked,
      travelDays: (holdsDays && inForce.services[service.slug]?.travelDays) || 0,
      ...times,
      place: entries.place ?? '',
      scope: entries.scope ?? null,
      budget: entries.budget ?? null,
      eventId: entries.event ?? null,
      eventTitle,
      name: entries.name,
      email: entries.email ?? noEmail,
      phone: entries.phone ?? null,
      company: entries.company ?? null,
      country: entries.country ?? null,
      vatId: entries.vatId ?? null,
      vatCheck,
      street: entries.street ?? null,
      postcode: entries.postcode ?? null,
      city: entries.city ?? null,
      region: hasStates(entries.country) ? (entries.region ?? null) : null,
      message: null,
      lines: ratedAt(serviceLines(service, days), rate),
      termsVersion: deps.terms.keep(tx),
      conditions: { cancellation: inForce.cancellation, deposit: inForce.deposit },
      requestedAt: now,
      heldUntil: holdsDays ? holdEnd(now, inForce.holdHours, days.from) : null,
      network: 'staff',
      proven: true,
      verifiedAt: now,
      mails: entries.mails,
    })
    if (!booking) continue
    occupy(tx, deps.days, booking)
    const noted = entries.note === undefined ? booking : bookings.note(tx, booking, entries.note)
    return noted
  }
}

/** What of an edit is about its place and time, which its customer hears of, as of another mailbox. */
const heard = ['start', 'end', 'place', 'scope'] as const

/**
 * Changes what staff mend: times, place, contact, their note. An empty text takes a value away.
 * @returns the change, and the names of the fields that are others now
 * @throws invalid by field; changed, wrong-state
 */
export function edit(
  tx: Transaction,
  deps: BookingDeps,
  booking: Booking,
  entries: BookingEdit,
): Changed & { fields: string[]; isHeard: boolean } {
  const changes = Object.entries(entries).filter(
    ([name, value]) => value !== undefined && (booking[name as keyof Booking] ?? '') !== value,
  )
  const fields = changes.map(([name]) => name)
  if (fields.length === 0) throw fieldProblem('', 'Nothing would change.')
  const values = Object.fromEntries(
    changes.map(([name, value]) => [name, value === '' && name !== 'place' ? null : value]),
  ) as Partial<Booking>
  const next = { ...booking, ...values }
  if (!next.name) throw fieldProblem('name', 'Name is required')
  const { place } = missingFields(booking.unit, next)
  if (place && fields.includes('place')) throw fieldProblem('place', place)
  if (!next.email && next.mails) throw fieldProblem('email', 'A booking needs an email address')
  if (isByDates(booking.unit)) timesOf(next, booking)
  release(tx, deps.days, booking)
  const after = changed(tx, deps, booking, { ...values, email: next.email ?? noEmail })
  // Links to an earlier mailbox end, so a new one has to get its own.
  const isElsewhere = mailboxOf(after.after.email) !== mailboxOf(booking.email)
  const isHeard = isElsewhere || heard.some((field) => fields.includes(field))
  return { ...after, fields, isHeard }
}
