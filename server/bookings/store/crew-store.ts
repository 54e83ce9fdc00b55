import type { CivilDate } from '#shared/dates/civil-dates.ts'
import type { Transaction } from '../../db/group-commit.ts'
import type { Database } from '../../db/open.ts'
import { bookingCrew, bookings, toBooking, type Booking } from '../schema.ts'

/** No range of dates is longer, so an overlap begins at most so many days earlier. */
const maxDays = 31

/** Who works on which booking; the only place with its SQL. */
export type CrewStore = ReturnType<typeof createCrewStore>

/** Prepares the statements of who works on which booking. */
export function createCrewStore(db: Database, { clock }: { clock: () => number }) {
  const insert = bookingCrew.insert(db, 'ON CONFLICT DO NOTHING')
  const remove = db.prepareWrite(
    'DELETE FROM booking_crew WHERE booking_id = :bookingId AND person = :person',
  )
  const ofBooking = bookingCrew.select(db, 'WHERE booking_id = :id ORDER BY person')
  const ofPerson = bookings.select(
    db,
    `WHERE id IN (SELECT booking_id FROM booking_crew WHERE person = :person)
       AND state IN ('requested', 'offered', 'confirmed')
       AND first_date BETWEEN date(:from, '-${maxDays} days') AND :to AND last_date >= :from
     ORDER BY first_date, id`,
  )

  return {
    /** The people of a booking, by name. */
    of: ({ id }: Pick<Booking, 'id'>): string[] =>
      ofBooking.all({ id }).map(({ person }) => person),

    /** The bookings that someone works on in a range of dates, the earliest first. */
    ofPerson: (person: string, from: CivilDate, to: CivilDate): Booking[] =>
      ofPerson.all({ person, from, to }).map(toBooking),

    /** @returns false when they were on it already */
    assign: (tx: Transaction, { id }: Booking, person: string, author: string): boolean =>
      insert(tx, { bookingId: id, person, assignedAt: clock(), author }) !== null,

    /** @returns false when they weren't on it */
    unassign: (tx: Transaction, { id }: Booking, person: string): boolean =>
      remove.run(tx, { bookingId: id, person }).changes === 1,
  }
}
