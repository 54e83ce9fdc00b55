import type { BookingState, BookingView } from '#shared/bookings.ts'
import { dateRange } from '#shared/date-format.ts'
import { officeTime } from '#shared/helsinki-time.ts'
import { Badge, type BadgeTone } from '../ui/badge.tsx'

/** Each state by its badge, and what it means to the visitor. */
const states: Record<BookingState, { tone: BadgeTone; word: string; title: string }> = {
  requested: { tone: 'waiting', word: 'Requested', title: 'We hold your dates' },
  confirmed: { tone: 'active', word: 'Confirmed', title: 'Your booking is confirmed' },
  declined: { tone: 'bad', word: 'Declined', title: 'We cannot take these dates' },
  cancelled: { tone: 'over', word: 'Cancelled', title: 'This booking is cancelled' },
  expired: { tone: 'over', word: 'Expired', title: 'This request has run out' },
  quarantined: { tone: 'bad', word: 'Quarantined', title: 'Kept aside as doubtful' },
}

/** The state of a booking in a word. */
export const StateBadge = ({ state }: { state: BookingState }) => (
  <Badge tone={states[state].tone}>{states[state].word}</Badge>
)

/** The state of a booking as its visitor's heading. */
export const titleOf = (state: BookingState): string => states[state].title

/** Dates and times of a booking: "14–16 May 2027, 09:00–18:00 Helsinki time". */
export const datesOf = ({
  from,
  to,
  start,
  end,
}: Pick<BookingView, 'from' | 'to' | 'start' | 'end'>): string =>
  dateRange(from, to) + (start ? `, ${start}${end ? `–${end}` : ''} Helsinki time` : '')

/** An instant as our office writes it. @param iso ISO 8601 */
export const instantInWords = (iso: string): string => officeTime(Date.parse(iso))
