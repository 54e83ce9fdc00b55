import { isByDates } from '#shared/bookings/sale-units.ts'
import type { DateRange } from '#shared/bookings/bookings.ts'
import { addDays, datesFrom, type CivilDate } from '#shared/dates/civil-dates.ts'
import type { Transaction } from '../../db/group-commit.ts'
import type { ServiceLoad } from './capacity.ts'
import type { DayKind, DayStore } from '../store/day-store.ts'
import type { Booking } from '../schema.ts'

/** What decides which days a booking occupies, and how. */
type Occupant = Pick<
  Booking,
  'state' | 'service' | 'unit' | 'from' | 'to' | 'travelDays' | 'change'
>

/**
 * Counts a booking into the days that it occupies: its own, and those on which its crew travels.
 * What it occupies follows from its state, so a change first releases what it was.
 */
export const occupy = (tx: Transaction, days: DayStore, booking: Occupant): void =>
  count(tx, days, booking, 1)

/** Takes a booking out of the days that it occupied in its state. */
export const release = (tx: Transaction, days: DayStore, booking: Occupant): void =>
  count(tx, days, booking, -1)

/** The days as they would be without a booking, which is not in its own way when it moves. */
export const daysWithout = (
  days: Pick<DayStore, 'loads' | 'blocks'>,
  booking: Occupant,
): Pick<DayStore, 'loads' | 'blocks'> => ({
  blocks: days.blocks,
  loads(from, to) {
    const own = new Map<CivilDate, DayKind>(
      occupied(booking).flatMap(({ kind, dates }) => dates.map((date) => [date, kind] as const)),
    )
    const without = (date: CivilDate, load: ServiceLoad): ServiceLoad => {
      const kind = load.service === booking.service ? own.get(date) : undefined
      return kind ? { ...load, [kind]: load[kind] - 1 } : load
    }
    return new Map(
      Array.from(days.loads(from, to), ([date, loads]) => [
        date,
        loads.map((load) => without(date, load)),
      ]),
    )
  },
})

function count(tx: Transaction, days: DayStore, booking: Occupant, by: 1 | -1): void {
  for (const { kind, dates } of occupied(booking)) {
    days.count(tx, kind, booking.service, dates, by)
  }
}

/**
 * The days that a booking occupies in its state, by the column that they count in; each day once. Other
 * dates that are asked for are held beside the current ones.
 */
function occupied(booking: Occupant): { kind: DayKind; dates: CivilDate[] }[] {
  const { state, unit, change } = booking
  if (!isByDates(unit)) return []
  if (state === 'requested' || state === 'offered') return around(booking, booking, 'held')
  if (state !== 'confirmed') return []
  const agreed = around(booking, booking, 'confirmed')
  if (!change) return agreed
  const taken = new Set(agreed.flatMap(({ dates }) => dates))
  const asked = around(booking, change, 'held').map(({ kind, dates }) => ({
    kind,
    dates: dates.filter((date) => !taken.has(date)),
  }))
  return [...agreed, ...asked]
}

/** The days of a range, and those before and after it on which the crew is on the road. */
function around({ travelDays }: Occupant, { from, to }: DateRange, kind: 'held' | 'confirmed') {
  const before = datesFrom(addDays(from, -travelDays), addDays(from, -1))
  const after = datesFrom(addDays(to, 1), addDays(to, travelDays))
  return [
    { kind, dates: datesFrom(from, to) },
    { kind: 'travelling' as const, dates: [...before, ...after] },
  ]
}
