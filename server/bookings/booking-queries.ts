import type { BookingState } from '#shared/bookings.ts'
import type { CivilDate } from '#shared/civil-dates.ts'
import type { Database } from '../db/open.ts'
import { bookingColumns, toBooking, type Booking } from './booking.ts'

/** Which bookings to list: those whose days lie between two dates, in some state. */
export type BookingFilter = { from?: CivilDate; to?: CivilDate; state?: BookingState }

/** No range of dates is longer, so an overlap begins at most so many days earlier. */
const longestDays = 31

/** Prepares the statements that find and list bookings. */
export function createBookingQueries(db: Database) {
  const byReference = db.prepare(`SELECT ${bookingColumns} FROM bookings WHERE reference = ?`)
  const byId = db.prepare(`SELECT ${bookingColumns} FROM bookings WHERE id = ?`)
  const byKey = db.prepare(
    `SELECT reference, content_hash AS contentHash FROM bookings WHERE key = ?`,
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
  const ended = db.prepare(
    `SELECT ${bookingColumns} FROM bookings
     WHERE first_date < :before AND last_date < :before ORDER BY first_date LIMIT 500`,
  )

  return {
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

    /** Some of the bookings that ended before a date. */
    endedBefore: (before: CivilDate): Booking[] => ended.all({ before }).map(toBooking),
  }
}
