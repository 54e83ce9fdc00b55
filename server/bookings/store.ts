import type { BookingState } from '#shared/bookings.ts'
import type { CivilDate } from '#shared/civil-dates.ts'
import type { Database } from '../db/open.ts'
import type { Transaction } from '../db/group-commit.ts'
import { bookingColumns, toBooking, type Booking } from './booking.ts'
import { createBookingCounts } from './booking-counts.ts'

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

/** Which bookings to list: those whose days lie between two dates, in some state. */
export type BookingFilter = { from?: CivilDate; to?: CivilDate; state?: BookingState }

/** The bookings; the only place with their SQL. */
export type BookingStore = ReturnType<typeof createBookingStore>

/** No range of dates is longer, so an overlap begins at most so many days earlier. */
const longestDays = 31

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
  const byReference = db.prepare(`SELECT ${bookingColumns} FROM bookings WHERE reference = ?`)
  const byId = db.prepare(`SELECT ${bookingColumns} FROM bookings WHERE id = ?`)
  const byKey = db.prepare(
    `SELECT reference, content_hash AS contentHash FROM bookings WHERE key = ?`,
  )
  const change = db.prepareWrite(
    `UPDATE bookings SET state = :state, sequence = sequence + 1, answer = coalesce(:answer, answer),
       held_until = :heldUntil, first_date = :from, last_date = :to,
       starts_at = :startsAt, ends_at = :endsAt, changed_at = :now
     WHERE id = :id AND sequence = :sequence`,
  )
  const list = db.prepare(
    `SELECT ${bookingColumns} FROM bookings
     WHERE first_date BETWEEN coalesce(date(:from, '-${longestDays} days'), '') AND :to
       AND last_date >= :from AND (:state IS NULL OR state = :state)
     ORDER BY first_date, id`,
  )
  const overlapping = db.prepare(
    `SELECT ${bookingColumns} FROM bookings
     WHERE first_date BETWEEN date(:from, '-${longestDays} days') AND :to AND last_date >= :from
       AND state IN ('requested', 'confirmed') AND id <> :except
     ORDER BY first_date, id LIMIT 50`,
  )
  const ofEmails = db.prepare(
    `SELECT ${bookingColumns} FROM bookings
     WHERE email COLLATE NOCASE IN (SELECT value FROM json_each(:emails)) AND state <> 'quarantined'
     ORDER BY first_date DESC, id DESC LIMIT :most`,
  )
  const withEmail = db.prepare(
    `SELECT ${bookingColumns} FROM bookings WHERE email = :email COLLATE NOCASE ORDER BY id`,
  )
  const remove = db.prepareWrite(
    'DELETE FROM bookings WHERE id IN (SELECT value FROM json_each(:ids))',
  )
  const ended = db.prepare(
    `SELECT ${bookingColumns} FROM bookings
     WHERE first_date < :before AND last_date < :before ORDER BY first_date LIMIT 500`,
  )

  return {
    ...createBookingCounts(db),

    /** Keeps a new booking. @returns false when its key or reference is there already */
    insert(tx: Transaction, booking: NewBooking): boolean {
      return insert.get(tx, { ...booking, proven: booking.proven ? 1 : 0 }) !== undefined
    },

    find(reference: string): Booking | null {
      const row = byReference.get(reference)
      return row ? toBooking(row) : null
    },

    findId(id: number): Booking | null {
      const row = byId.get(id)
      return row ? toBooking(row) : null
    },

    /** The booking that a key stands for, with the hash of what was sent with it. */
    ofKey: (key: string) =>
      (byKey.get(key) as { reference: string; contentHash: string } | undefined) ?? null,

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
      return changes === 1 ? this.findId(booking.id) : null
    },

    /** Bookings by their first day, one at a time, so that an export of any size fits. */
    *list({ from = '0000-01-01', to = '9999-12-31', state }: BookingFilter = {}) {
      for (const row of list.iterate({ from, to, state: state ?? null })) yield toBooking(row)
    },

    /** Bookings that hold some of the days of a range, at most 50. */
    overlapping: (from: CivilDate, to: CivilDate, except: number): Booking[] =>
      overlapping.all({ from, to, except }).map(toBooking),

    /** Bookings of some addresses, the latest days first. */
    ofEmails: (emails: readonly string[], most: number): Booking[] =>
      ofEmails.all({ emails: JSON.stringify(emails), most }).map(toBooking),

    /** Every booking of an address, quarantined ones too. */
    withEmail: (email: string): Booking[] => withEmail.all({ email }).map(toBooking),

    /** Removes bookings; what they occupied must have been released. */
    remove: (tx: Transaction, some: readonly Booking[]) =>
      void remove.run(tx, { ids: JSON.stringify(some.map(({ id }) => id)) }),

    /** Some of the bookings that ended before a date. */
    endedBefore: (before: CivilDate): Booking[] => ended.all({ before }).map(toBooking),
  }
}
