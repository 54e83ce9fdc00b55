import { addDays, datesFrom } from '#shared/civil-dates.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Booking, DayStore } from './store.ts'

/** What decides which days a booking occupies, and how. */
type Occupant = Pick<Booking, 'state' | 'service' | 'from' | 'to' | 'travelDays'>

/**
 * Counts a booking into the days that it occupies: its own, and those on which its crew travels.
 * What it occupies follows from its state, so a change first releases what it was.
 */
export const occupy = (tx: Transaction, days: DayStore, booking: Occupant): void =>
  count(tx, days, booking, 1)

/** Takes a booking out of the days that it occupied in its state. */
export const release = (tx: Transaction, days: DayStore, booking: Occupant): void =>
  count(tx, days, booking, -1)

function count(
  tx: Transaction,
  days: DayStore,
  { state, service, from, to, travelDays }: Occupant,
  by: 1 | -1,
): void {
  const kind = state === 'requested' ? 'held' : state === 'confirmed' ? 'confirmed' : null
  if (kind === null) return
  days.count(tx, kind, service, datesFrom(from, to), by)
  const before = datesFrom(addDays(from, -travelDays), addDays(from, -1))
  const after = datesFrom(addDays(to, 1), addDays(to, travelDays))
  days.count(tx, 'travelling', service, [...before, ...after], by)
}
