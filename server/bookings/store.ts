import type { BookingState } from '#shared/bookings.ts'
import type { CivilDate } from '#shared/civil-dates.ts'
import type { Database } from '../db/open.ts'
import type { Transaction } from '../db/group-commit.ts'

/** A booking. Times are milliseconds of the epoch, dates civil dates. */
export type Booking = {
  readonly id: number
  readonly reference: string
  readonly state: BookingState
  /** Grows with every change. */
  readonly sequence: number
  readonly service: string
  readonly from: CivilDate
  readonly to: CivilDate
  /** Days before and after on which the crew is on the road. */
  readonly travelDays: number
  /** HH:MM by the clock in Helsinki; null for whole days. */
  readonly start: string | null
  readonly end: string | null
  readonly place: string
  readonly eventId: string | null
  readonly eventTitle: string | null
  readonly name: string
  readonly email: string
  readonly phone: string | null
  readonly company: string | null
  readonly message: string | null
  readonly answer: string | null
  readonly requestedAt: number
  readonly changedAt: number
  readonly heldUntil: number | null
  readonly proven: boolean
}

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

type Row = Omit<Booking, 'proven'> & { proven: number }

const columns = `id, reference, state, sequence, service, first_date AS "from", last_date AS "to",
  travel_days AS travelDays, start_time AS start, end_time AS "end", place, event_id AS eventId, event_title AS eventTitle,
  name, email, phone, company, message, answer, requested_at AS requestedAt,
  changed_at AS changedAt, held_until AS heldUntil, proven`

const toBooking = (row: unknown): Booking => ({
  ...(row as Row),
  proven: (row as Row).proven === 1,
})

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
  const byReference = db.prepare(`SELECT ${columns} FROM bookings WHERE reference = ?`)
  const byId = db.prepare(`SELECT ${columns} FROM bookings WHERE id = ?`)
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
    `SELECT ${columns} FROM bookings
     WHERE first_date BETWEEN coalesce(date(:from, '-${longestDays} days'), '') AND :to
       AND last_date >= :from AND (:state IS NULL OR state = :state)
     ORDER BY first_date, id`,
  )
  const overlapping = db.prepare(
    `SELECT ${columns} FROM bookings
     WHERE first_date BETWEEN date(:from, '-${longestDays} days') AND :to AND last_date >= :from
       AND state IN ('requested', 'confirmed') AND id <> :except
     ORDER BY first_date, id LIMIT 50`,
  )
  const ofEmails = db.prepare(
    `SELECT ${columns} FROM bookings
     WHERE email COLLATE NOCASE IN (SELECT value FROM json_each(:emails)) AND state <> 'quarantined'
     ORDER BY first_date DESC, id DESC LIMIT :most`,
  )
  const withEmail = db.prepare(
    `SELECT ${columns} FROM bookings WHERE email = :email COLLATE NOCASE ORDER BY id`,
  )
  const remove = db.prepareWrite(
    'DELETE FROM bookings WHERE id IN (SELECT value FROM json_each(:ids))',
  )
  const unproven = db
    .prepare(
      `SELECT count(*) FROM bookings
       WHERE network = :network AND requested_at > :after AND proven = 0 AND state <> 'quarantined'`,
    )
    .pluck()
  const recent = db
    .prepare(`SELECT count(*) FROM bookings WHERE network = :network AND requested_at > :after`)
    .pluck()
  const toAddress = db
    .prepare(
      `SELECT count(*) FROM bookings
       WHERE email = :email COLLATE NOCASE AND requested_at > :after AND state <> 'quarantined'`,
    )
    .pluck()
  const waiting = db.prepare(
    `SELECT
       (SELECT count(*) FROM bookings WHERE state = 'requested') AS requested,
       (SELECT count(*) FROM bookings WHERE state = 'quarantined') AS quarantined`,
  )
  const ended = db.prepare(
    `SELECT ${columns} FROM bookings
     WHERE first_date < :before AND last_date < :before ORDER BY first_date LIMIT 500`,
  )

  return {
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
     * @returns the booking as it is now, or null when somebody else was faster
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

    /** How many bookings without a proof of ours a network has made since an instant. */
    unprovenSince: (network: string, after: number) => unproven.get({ network, after }) as number,
    /** How many bookings a network has made since an instant, of all kinds. */
    madeSince: (network: string, after: number) => recent.get({ network, after }) as number,
    /** How many bookings were made for an address since an instant. */
    forAddressSince: (email: string, after: number) => toAddress.get({ email, after }) as number,

    /** How many bookings wait for staff. */
    waiting: () => waiting.get() as { requested: number; quarantined: number },

    /** Some of the bookings that ended before a date. */
    endedBefore: (before: CivilDate): Booking[] => ended.all({ before }).map(toBooking),
  }
}
