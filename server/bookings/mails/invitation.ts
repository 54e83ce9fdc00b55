import type { DateRange } from '#shared/bookings/bookings.ts'
import { addDays, daysBetween } from '#shared/dates/civil-dates.ts'
import { apart } from '#shared/text/text.ts'
import { calendarText, type CalendarEntry } from '../../icalendar/document.ts'
import type { Brand, CalendarPart } from '../../mail/message.ts'
import type { Booking } from '../schema.ts'

/** What an invitation says of a booking; an email keeps it as it was when the email was queued. */
export type EntryFacts = DateRange &
  Pick<
    Booking,
    'reference' | 'state' | 'sequence' | 'start' | 'end' | 'zone' | 'unit' | 'changedAt'
  >

/** Hours that work without an end is drawn into a calendar. */
const defaultHours = 8

const statusOf = (state: Booking['state']): CalendarEntry['status'] => {
  if (state === 'confirmed') return 'CONFIRMED'
  // An offer holds its dates, too: only what is over is taken out of calendars.
  const isOpen = state === 'requested' || state === 'offered' || state === 'quarantined'
  return isOpen ? 'TENTATIVE' : 'CANCELLED'
}

/**
 * A booking as an entry of a calendar (docs/contract.md, Booking): whole days as civil dates, times
 * in Helsinki. Its UID never changes and its SEQUENCE counts the changes.
 * @param more what only some readers may see, such as the place
 */
export function bookingEntry(
  { reference, state, sequence, from, to, start, end, zone, changedAt }: EntryFacts,
  brand: Pick<Brand, 'uidHost'>,
  more: Pick<CalendarEntry, 'summary'> & Partial<CalendarEntry>,
): CalendarEntry {
  const times = start
    ? timesOf({ from, to, start, end, zone })
    : { start: from, end: to, zone: null }
  return {
    uid: `${reference}@${brand.uidHost}`,
    sequence,
    ...times,
    status: statusOf(state),
    modifiedAt: changedAt,
    ...more,
  }
}

/**
 * Where it takes place, at which event, and whom to reach. Before it's confirmed someone else may
 * have typed it, so the entry says nothing but its reference.
 */
export function whereabouts(
  { reference, place, eventTitle, name, phone }: Booking,
  state: Booking['state'],
  contact: { email: string },
): Pick<CalendarEntry, 'description' | 'location'> {
  if (state !== 'confirmed') return { description: `Booking ${reference}` }
  const lines = [
    `Booking ${reference}`,
    eventTitle,
    `Contact on site: ${[apart(name), phone].filter(Boolean).join(', ')}`,
    `Questions: ${contact.email}`,
  ]
  return { description: lines.filter(Boolean).join('\n'), ...(place && { location: place }) }
}

/** The entry as the calendar part of an email: REQUEST while it stands, CANCEL once it does not. */
export function invitation(entry: CalendarEntry, brand: Pick<Brand, 'name'>): CalendarPart {
  const method = entry.status === 'CANCELLED' ? 'CANCEL' : 'REQUEST'
  return {
    method,
    ics: calendarText({ producer: brand.name, method, entries: [entry] }),
    filename: 'booking.ics',
  }
}

/**
 * Hours of several days are the hours of each of them. An end before the start is that of a night,
 * which ends on the following day.
 */
function timesOf({
  from,
  to,
  start,
  end,
  zone,
}: {
  from: string
  to: string
  start: string
  end: string | null
  zone: string
}) {
  const until = end ?? hoursLater(start, defaultHours)
  const isNight = until <= start
  const days = daysBetween(from, to) + (isNight ? 0 : 1)
  return {
    start: `${from}T${start}`,
    end: `${isNight ? addDays(from, 1) : from}T${until}`,
    zone,
    ...(days > 1 && { days }),
  }
}

/** A time some hours later, on the same day at most. */
function hoursLater(time: string, hours: number): string {
  const [hour, minute] = time.split(':').map(Number) as [number, number]
  return hour + hours > 23
    ? '23:59'
    : `${String(hour + hours).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}
