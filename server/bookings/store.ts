import type { BookingState } from '#shared/bookings.ts'
import type { CivilDate } from '#shared/civil-dates.ts'
import type { Database } from '../db/open.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Booking } from './booking.ts'
import { createBookingCounts } from './booking-counts.ts'
import { createBookingQueries } from './booking-queries.ts'

/** What a new booking is made from. */
export type NewBooking = Omit<Booking, 'id' | 'sequence' | 'answer' | 'changedAt'> & {
  key: string
  contentHash: string
  startsAt: number | null
  endsAt: number | null
  network: string
}

/** What changes of a booking together with its state; what is left out stays. */
export type BookingChange = {
  state: BookingState
  answer?: string | null
  heldUntil: number | null
  from?: CivilDate
  to?: CivilDate
  startsAt?: number | null
  endsAt?: number | null
}

/** The bookings; the only place with their SQL. */
export type BookingStore = ReturnType<typeof createBookingStore>

/** Prepares the statements of the bookings. */
export function createBookingStore(db: Database, { clock }: { clock: () => number }) {
  const insert = db
    .prepareWrite(
      `INSERT INTO bookings (reference, key, content_hash, state, service, first_date, last_date,
         travel_days, start_time, end_time, starts_at, ends_at, place, event_id, event_title, name, email, phone,
         company, message, requested_at, changed_at, held_until, network, proven)
       VALUES (:reference, :key, :contentHash, :state, :service, :from, :to, :travelDays, :start, :end,
         :startsAt, :endsAt, :place, :eventId, :eventTitle, :name, :email, :phone, :company,
         :message, :requestedAt, :requestedAt, :heldUntil, :network, :proven)
       ON CONFLICT DO NOTHING RETURNING id`,
    )
    .pluck()
  const change = db.prepareWrite(
    `UPDATE bookings SET state = :state, sequence = sequence + 1, answer = coalesce(:answer, answer),
       held_until = :heldUntil, first_date = :from, last_date = :to,
       starts_at = :startsAt, ends_at = :endsAt, changed_at = :now
     WHERE id = :id AND sequence = :sequence`,
  )
  const remove = db.prepareWrite(
    'DELETE FROM bookings WHERE id IN (SELECT value FROM json_each(:ids))',
  )
  const queries = createBookingQueries(db)

  return {
    ...queries,
    ...createBookingCounts(db),

    /** Keeps a new booking. @returns false when its key or reference is there already */
    insert(tx: Transaction, booking: NewBooking): boolean {
      return insert.get(tx, { ...booking, proven: booking.proven ? 1 : 0 }) !== undefined
    },

    /**
     * Changes a booking if it is still as it was read (compare-and-swap by its sequence).
     * @returns the booking as it is now, or null when another transaction changed it first
     */
    change(tx: Transaction, booking: Booking, to: BookingChange): Booking | null {
      const { changes } = change.run(tx, {
        id: booking.id,
        sequence: booking.sequence,
        state: to.state,
        answer: to.answer ?? null,
        heldUntil: to.heldUntil,
        from: to.from ?? booking.from,
        to: to.to ?? booking.to,
        startsAt: to.startsAt ?? null,
        endsAt: to.endsAt ?? null,
        now: clock(),
      })
      return changes === 1 ? queries.findId(booking.id) : null
    },

    /** Removes bookings; what they occupied must have been released. */
    remove: (tx: Transaction, some: readonly Booking[]) =>
      void remove.run(tx, { ids: JSON.stringify(some.map(({ id }) => id)) }),
  }
}
