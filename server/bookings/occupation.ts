import { addDays, datesFrom, type CivilDate } from '#shared/civil-dates.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { BookingRules } from './rules.ts'
import type { Booking, DayStore } from './store.ts'

/**
 * Counts a booking into the days that it occupies: its own, and those on which its crew travels.
 * What it occupies follows from its state, so a change first releases what it was.
 */
export function occupy(
  tx: Transaction,
  days: DayStore,
  rules: BookingRules,
  booking: Pick<Booking, 'state' | 'service' | 'from' | 'to'>,
): void {
  change(tx, days, rules, booking, 1)
}

/** Takes a booking out of the days that it occupied in its state. */
export function release(
  tx: Transaction,
  days: DayStore,
  rules: BookingRules,
  booking: Pick<Booking, 'state' | 'service' | 'from' | 'to'>,
): void {
  change(tx, days, rules, booking, -1)
}

function change(
  tx: Transaction,
  days: DayStore,
  rules: BookingRules,
  { state, service, from, to }: Pick<Booking, 'state' | 'service' | 'from' | 'to'>,
  by: 1 | -1,
): void {
  const kind = state === 'requested' ? 'held' : state === 'confirmed' ? 'confirmed' : null
  if (kind === null) return
  days.count(tx, kind, service, datesFrom(from, to), by)
  days.count(tx, 'travelling', service, travelDates(rules, { service, from, to }), by)
}

const travelDates = (
  rules: BookingRules,
  { service, from, to }: { service: string; from: CivilDate; to: CivilDate },
): CivilDate[] => {
  const days = rules.services[service]?.travelDays ?? 0
  return [
    ...datesFrom(addDays(from, -days), addDays(from, -1)),
    ...datesFrom(addDays(to, 1), addDays(to, days)),
  ]
}
