import { Fragment, type ReactNode } from 'react'
import { datesInWords } from '#shared/bookings/dates-in-words.ts'
import { isByDates } from '#shared/bookings/sale-units.ts'
import type { BookingState, BookingView } from '#shared/bookings/bookings.ts'
import { officeTime } from '#shared/dates/helsinki-time.ts'
import { Badge, type BadgeTone } from '../ui/badge.tsx'
import { useHydrated } from '../ui/use-hydrated.ts'
import { ownZone, timesElsewhere } from './own-times.ts'

/** Each state by its badge, and what it means to the visitor. */
const states: Record<BookingState, { tone: BadgeTone; word: string; title: string }> = {
  requested: { tone: 'waiting', word: 'Requested', title: 'We hold your dates' },
  offered: { tone: 'waiting', word: 'Offered', title: 'We’ve made you an offer' },
  confirmed: { tone: 'active', word: 'Confirmed', title: 'Your booking is confirmed' },
  declined: { tone: 'bad', word: 'Declined', title: 'Declined' },
  cancelled: { tone: 'over', word: 'Cancelled', title: 'This booking is cancelled' },
  expired: { tone: 'over', word: 'Expired', title: 'This request has expired' },
  quarantined: { tone: 'bad', word: 'Quarantined', title: 'Held for review' },
}

/** The state of a booking in a word. */
export const StateBadge = ({ state }: { state: BookingState }) => (
  <Badge tone={states[state].tone}>{states[state].word}</Badge>
)

/** The state of a booking as its visitor's heading; work by month or project holds no dates. */
export function titleOf({ state, unit, stage }: Pick<BookingView, 'state' | 'unit' | 'stage'>) {
  if (state === 'requested' && !isByDates(unit)) return 'We’ve got your request'
  return state === 'confirmed' && stage === 'over' ? 'That’s a wrap' : states[state].title
}

/** An instant as our office writes it. @param iso ISO 8601 */
export const instantInWords = (iso: string): string => officeTime(Date.parse(iso))

/** The last minute before an instant, for what ends at midnight. @param iso ISO 8601 */
export const lastMinuteOf = (iso: string): string => officeTime(Date.parse(iso) - 60_000)

/**
 * What the hours of a booking are in Helsinki and where the visitor is, as far as those are other
 * ones. The visitor's zone is known in the browser alone.
 */
function Elsewhere({
  booking,
}: {
  booking: Pick<BookingView, 'from' | 'to' | 'start' | 'end' | 'zone'>
}) {
  const isAlive = useHydrated()
  const times = timesElsewhere(booking, isAlive ? ownZone() : null)
  return times && <p>{times}</p>
}

/** The dates among the facts of a booking, with its hours elsewhere. */
export const datesFact = (
  booking: Parameters<typeof datesInWords>[0] & Pick<BookingView, 'start' | 'end' | 'zone'>,
): [label: string, value: ReactNode] => [
  isByDates(booking.unit) ? 'Dates' : 'Start',
  <Fragment key="dates">
    {datesInWords(booking)}
    <Elsewhere booking={booking} />
  </Fragment>,
]
