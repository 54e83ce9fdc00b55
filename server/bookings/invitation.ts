import type { DateRange } from '#shared/bookings.ts'
import { calendarText, type CalendarEntry } from '../icalendar/document.ts'
import type { Brand, CalendarPart } from '../mail/message.ts'
import type { Booking } from './booking.ts'

/** What an invitation says of a booking; a mail keeps it as it was when the mail was queued. */
export type Occasion = DateRange &
  Pick<Booking, 'reference' | 'state' | 'sequence' | 'start' | 'end' | 'changedAt'>

/** Hours that work without an end is drawn into a calendar. */
const usualHours = 8

const statusOf = (state: Booking['state']): CalendarEntry['status'] => {
  if (state === 'confirmed') return 'CONFIRMED'
  return state === 'requested' || state === 'quarantined' ? 'TENTATIVE' : 'CANCELLED'
}

/**
 * A booking as an entry of a calendar (docs/contract.md, Booking): whole days as civil dates, times
 * in Helsinki. Its UID never changes and its SEQUENCE counts the changes.
 * @param more what only some readers may see, such as the place
 */
export function bookingEntry(
  { reference, state, sequence, from, to, start, end, changedAt }: Occasion,
  brand: Pick<Brand, 'siteUrl'>,
  more: Pick<CalendarEntry, 'summary'> & Partial<CalendarEntry>,
): CalendarEntry {
  const times = start
    ? {
        start: `${from}T${start}`,
        end: `${to}T${end ?? hoursLater(start, usualHours)}`,
        zone: 'Europe/Helsinki',
      }
    : { start: from, end: to, zone: null }
  return {
    uid: `${reference}@${new URL(brand.siteUrl).hostname}`,
    sequence,
    ...times,
    status: statusOf(state),
    modifiedAt: changedAt,
    ...more,
  }
}

/** The entry as the calendar part of a mail: REQUEST while it stands, CANCEL once it does not. */
export function invitation(entry: CalendarEntry, brand: Pick<Brand, 'name'>): CalendarPart {
  const method = entry.status === 'CANCELLED' ? 'CANCEL' : 'REQUEST'
  return {
    method,
    ics: calendarText({ producer: brand.name, method, entries: [entry] }),
    filename: 'booking.ics',
  }
}

/** A time some hours later, on the same day at most. */
function hoursLater(time: string, hours: number): string {
  const [hour, minute] = time.split(':').map(Number) as [number, number]
  return hour + hours > 23
    ? '23:59'
    : `${String(hour + hours).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}
