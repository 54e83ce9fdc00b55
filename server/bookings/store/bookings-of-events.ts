import type { CivilDate } from '#shared/civil-dates.ts'
import type { Database } from '../../db/open.ts'
import { integer, query, text } from '../../db/table.ts'
import { bookings, type Booking } from '../schema.ts'

/** Prepares the statements that find bookings by the event of the calendar that they name. */
export function createBookingsOfEvents(db: Database) {
  const ofEvent = bookings.select(
    db,
    `WHERE event_id = :eventId AND last_date >= :today
       AND state NOT IN ('declined', 'cancelled', 'expired', 'quarantined')
     ORDER BY first_date, id`,
  )
  const counts = query(
    db,
    `SELECT event_id AS eventId, count(*) AS count FROM bookings
     WHERE state = 'confirmed' AND event_id IS NOT NULL GROUP BY event_id`,
    { eventId: text(), count: integer() },
  )
  return {
    /** Bookings that stand or wait for an answer, the earliest first. */
    ofEvent: (eventId: string, today: CivilDate): Booking[] => ofEvent.all({ eventId, today }),
    /** How many confirmed bookings name each event, by its id. */
    confirmedByEvent: (): ReadonlyMap<string, number> =>
      new Map(counts.all().map(({ eventId, count }) => [eventId, count])),
  }
}
