import { officeZone, type CivilDate } from '#shared/dates/civil-dates.ts'
import { hourMs } from '#shared/dates/durations.ts'
import { createAddresses } from '../../db/addresses.ts'
import { batchSize } from '../../db/in-batches.ts'
import type { Database } from '../../db/open.ts'
import type { Transaction } from '../../db/group-commit.ts'
import { newNumber } from '../../db/numbers.ts'
import { createRowSearch } from '../../db/row-search.ts'
import { integer, query, text } from '../../db/table.ts'
import { newSecret } from '../../secrets/ids.ts'
import {
  bookings,
  erasedBookings,
  toBooking,
  type Booking,
  type BookingFilter,
  type NewBooking,
} from '../schema.ts'

/** Whether the client of a confirmed booking asks for other dates, which staff have to answer. */
const changing = `state = 'confirmed' AND change IS NOT NULL`

/** The fields of a booking that can change. */
const changeable = [
  'state',
  'sequence',
  'service',
  'unit',
  'from',
  'to',
  'travelDays',
  'start',
  'end',
  'place',
  'scope',
  'budget',
  'name',
  'email',
  'phone',
  'company',
  'country',
  'vatId',
  'vatCheck',
  'street',
  'postcode',
  'city',
  'region',
  'message',
  'answer',
  'lines',
  'termsVersion',
  'conditions',
  'offer',
  'agreement',
  'change',
  'fee',
  'note',
  'mails',
  'zone',
  'changedAt',
  'heldUntil',
] as const satisfies (keyof Booking)[]

/** What changes of a booking; what is left out stays. */
export type BookingChange = Partial<
  Pick<Booking, Exclude<(typeof changeable)[number], 'sequence' | 'changedAt'>>
>

/** Which bookings to list by when they came (milliseconds of the epoch). */
type NewBookings = Pick<BookingFilter, 'state'> & {
  since?: number | undefined
  email?: string | undefined
  service?: string | undefined
  /** The id of an event. */
  event?: string | undefined
}

/** The bookings; the only place with their SQL. */
export type BookingStore = ReturnType<typeof createBookingStore>

/** No range of dates is longer, so an overlap begins at most so many days earlier. */
const maxDays = 31

/** Prepares the statements of the bookings. */
export function createBookingStore(db: Database, { clock }: { clock: () => number }) {
  const nextId = query(db, `SELECT ${newNumber('bookings')} AS id`, { id: integer() })
  const insert = bookings.insert(db, 'ON CONFLICT DO NOTHING')
  const change = bookings.update(db, changeable, 'WHERE id = :id AND sequence = :sequence')
  const insertErased = erasedBookings.insert(db, 'ON CONFLICT DO NOTHING')
  const erased = erasedBookings.select(db, 'WHERE last_date >= :from ORDER BY first_date')
  const forgetErased = db.prepareWrite('DELETE FROM erased_bookings WHERE last_date < :before')
  const keepUndo = bookings.update(db, ['undo'], 'WHERE id = :id')
  const note_ = bookings.update(db, ['note'], 'WHERE id = :id')
  const verify = db.prepareWrite(
    'UPDATE bookings SET verified_at = coalesce(verified_at, :now) WHERE id = :id',
  )
  const remove = db.prepareWrite(
    'DELETE FROM bookings WHERE id IN (SELECT value FROM json_each(:ids))',
  )
  const select = (rest: string) => bookings.select(db, rest)
  const byReference = select('WHERE reference = :reference')
  const byId = select('WHERE id = :id')
  const bySecret = select('WHERE secret = :secret')
  const byKey = query(
    db,
    'SELECT reference, content_hash AS contentHash FROM bookings WHERE key = :key',
    { reference: text(), contentHash: text() },
  )
  const secretOf = query(db, 'SELECT secret FROM bookings WHERE id = :id', { secret: text() })
  const inRange = `first_date BETWEEN coalesce(date(:from, '-${maxDays} days'), '') AND :to
       AND last_date >= :from ORDER BY first_date, id`
  const list = select(`WHERE ${inRange}`)
  const listInState = select(`WHERE state = :state AND ${inRange}`)
  const listed = `WHERE requested_at >= :since AND (:state IS NULL OR state = :state)
    AND (:email IS NULL OR email = :email COLLATE NOCASE)
    AND (:service IS NULL OR service = :service) AND (:event IS NULL OR event_id = :event)`
  const newest = select(`${listed} ORDER BY requested_at DESC, id DESC`)
  const count = query(db, `SELECT count(*) AS count FROM bookings ${listed}`, { count: integer() })
  const valuesOf = ({ since = 0, state, email, service, event }: NewBookings) => ({
    since,
    state: state ?? null,
    email: email ?? null,
    service: service ?? null,
    event: event ?? null,
  })
  const toChange = select(`WHERE ${changing} ORDER BY first_date, id`)
  const overlapping = select(
    `WHERE first_date BETWEEN date(:from, '-${maxDays} days') AND :to AND last_date >= :from
       AND state IN ('requested', 'offered', 'confirmed') AND unit IN ('day', 'event') AND id <> :except
     ORDER BY first_date, id LIMIT 50`,
  )
  const ofClient = select(
    `WHERE email COLLATE NOCASE IN (SELECT value FROM json_each(:emails)) AND state <> 'quarantined'
       AND (verified_at IS NOT NULL OR state = 'declined')
     ORDER BY first_date DESC, id DESC LIMIT :max`,
  )
  const withEmail = select('WHERE email = :email COLLATE NOCASE ORDER BY id')
  // A row that was parked when it came, and was never taken; the oldest have no claim.
  const parked = select(
    `WHERE requested_at < :before AND state IN ('quarantined', 'declined', 'cancelled', 'expired')
       AND (state = 'quarantined' OR EXISTS (SELECT 1 FROM claims
         WHERE noun = 'booking' AND thing = reference AND parked IS NOT NULL))
     ORDER BY requested_at LIMIT 500`,
  )
  const doubtful = select(
    `WHERE state = 'quarantined' AND requested_at >= :from AND requested_at < :before
       AND NOT EXISTS (SELECT 1 FROM claims
         WHERE noun = 'booking' AND thing = reference AND parked IN ('link', 'staff'))
     ORDER BY requested_at, id LIMIT :max`,
  )
  const ended = select(
    `WHERE first_date < :before AND last_date < :before ORDER BY first_date LIMIT ${batchSize}`,
  )

  const ofEvent = select(
    `WHERE event_id = :eventId AND last_date >= :today
       AND state NOT IN ('declined', 'cancelled', 'expired', 'quarantined')
     ORDER BY first_date, id`,
  )
  const byEvent = query(
    db,
    `SELECT event_id AS eventId, count(*) AS count FROM bookings
     WHERE state = 'confirmed' AND event_id IS NOT NULL GROUP BY event_id`,
    { eventId: text(), count: integer() },
  )

  const one = (row: ReturnType<typeof byId.get>): Booking | null => row && toBooking(row)
  const find = (reference: string) => one(byReference.get({ reference }))

  return {
    ...createBookingCounts(db),

    /** Keeps a new booking. @returns it, or null when its key or reference is there already */
    insert(tx: Transaction, booking: NewBooking): Booking | null {
      const row = insert(tx, {
        zone: officeZone,
        mails: true,
        conditions: null,
        ...booking,
        id: nextId.get({ now: clock() })!.id,
        secret: newSecret(),
        sequence: 0,
        changedAt: booking.requestedAt,
        answer: null,
        offer: null,
        agreement: null,
        change: null,
        fee: null,
        undo: null,
        note: null,
      })
      return row && toBooking(row)
    },

    /**
     * Changes a booking if it is still as it was read (compare-and-swap by its sequence).
     * @returns the booking as it is now, or null when another transaction changed it first
     */
    change(tx: Transaction, booking: Booking, to: BookingChange): Booking | null {
      const { id, sequence } = booking
      const values = { ...booking, ...to, sequence: sequence + 1, changedAt: clock() }
      return change(tx, values, { id, sequence }) === 1 ? one(byId.get({ id })) : null
    },

    /** Records that a booking's address is confirmed, by its owner or by staff. */
    verify: (tx: Transaction, { id }: Booking): void => void verify.run(tx, { id, now: clock() }),

    /** Notes that a booking to come was erased, so staff's calendars drop it. */
    noteErased: (tx: Transaction, { reference, service, from, to, sequence }: Booking): void =>
      void insertErased(tx, {
        reference,
        service,
        from,
        to,
        sequence: sequence + 1,
        erasedAt: clock(),
      }),
    /** Erased bookings whose last day is not before a date. */
    erasedSince: (from: CivilDate) => erased.all({ from }),
    /** Forgets those whose last day is before a date. */
    forgetErased: (tx: Transaction, before: CivilDate): void =>
      void forgetErased.run(tx, { before }),

    /**
     * Stores what the last decision replaced; null once it can't be undone. Doesn't count as a change.
     */
    keepUndo: (tx: Transaction, { id }: Booking, undo: Booking['undo']): void =>
      void keepUndo(tx, { undo }, { id }),

    /** Stores the internal note. Doesn't count as a change. */
    note(tx: Transaction, { id }: Booking, note: string | null): Booking {
      note_(tx, { note }, { id })
      return one(byId.get({ id }))!
    },

    /** Removes bookings; what they occupied must have been released. */
    remove: (tx: Transaction, some: readonly Booking[]) =>
      void remove.run(tx, { ids: JSON.stringify(some.map(({ id }) => id)) }),

    find,
    findId: (id: number) => one(byId.get({ id })),
    findSecret: (secret: string) => one(bySecret.get({ secret })),

    /** Finds the ids of bookings by reference, names, addresses, service, place, event and message. */
    search: createRowSearch(db, 'bookings', [
      'reference',
      'name',
      'company',
      'email',
      'phone',
      'place',
      'service',
      'event_title',
      'message',
    ]),

    /** What the links of a booking are signed over; no row of a booking carries it further. */
    secretOf({ id, reference }: Booking): string {
      const row = secretOf.get({ id })
      if (!row) throw new Error(`Booking ${reference} is gone.`)
      return row.secret
    },

    /** The booking of an idempotency key, with the hash of its request. */
    ofKey: (key: string) => byKey.get({ key }),

    /** Bookings by their first day, one at a time, so an export of any size fits. */
    *list({ from = '0000-01-01', to = '9999-12-31', state }: BookingFilter = {}) {
      const rows =
        state === undefined ? list.iterate({ from, to }) : listInState.iterate({ from, to, state })
      for (const row of rows) yield toBooking(row)
    },

    /** Bookings as a list shows them: the newest request first, one at a time. */
    *newest(filter: NewBookings = {}) {
      for (const row of newest.iterate(valuesOf(filter))) yield toBooking(row)
    },
    /** How many of them there are. */
    count: (filter: NewBookings = {}): number => count.get(valuesOf(filter))!.count,

    /** Confirmed bookings whose clients ask for other dates, the earliest first. */
    changing: (): Booking[] => toChange.all({}).map(toBooking),

    /** Bookings that hold some of the days of a range, at most 50. */
    overlapping: (from: CivilDate, to: CivilDate, except: number): Booking[] =>
      overlapping.all({ from, to, except }).map(toBooking),

    /**
     * Bookings of a client's addresses, the latest days first: those that are known to come from
     * them, and those that staff declined.
     */
    ofClient: (emails: readonly string[], max: number): Booking[] =>
      ofClient.all({ emails: JSON.stringify(emails), max }).map(toBooking),

    /** Every booking of an address, quarantined ones too. */
    withEmail: (email: string): Booking[] => withEmail.all({ email }).map(toBooking),
    addresses: createAddresses(db, 'bookings'),

    /** Some of those that came before an instant (milliseconds) and never held anything. */
    parkedBefore: (before: number): Booking[] => parked.all({ before }).map(toBooking),

    /** Requests of a time (milliseconds) that may be a robot's and wait for staff. */
    doubtfulOf: (time: { from: number; before: number }, max: number): Booking[] =>
      doubtful.all({ ...time, max }).map(toBooking),

    /** Bookings that name an event and stand or wait for an answer, the earliest first. */
    ofEvent: (eventId: string, today: CivilDate): Booking[] =>
      ofEvent.all({ eventId, today }).map(toBooking),
    /** How many confirmed bookings name each event, by its id. */
    confirmedByEvent: (): ReadonlyMap<string, number> =>
      new Map(byEvent.all().map(({ eventId, count: confirmed }) => [eventId, confirmed])),

    /** A batch of the bookings that ended before a date. */
    endedBefore: (before: CivilDate): Booking[] => ended.all({ before }).map(toBooking),
  }
}

/** Prepares the questions of how many bookings there are: from a network, for an address, for staff. */
function createBookingCounts(db: Database) {
  const count = (where: string) =>
    query(db, `SELECT count(*) AS count FROM bookings WHERE ${where}`, { count: integer() })
  // Requests from while the clock was ahead would count until then, which may be years.
  const since = `requested_at > :now - :ms AND requested_at <= :now + ${hourMs}`
  const unproven = count(
    `network = :network AND ${since} AND proven = 0 AND state <> 'quarantined'`,
  )
  const recent = count(`network = :network AND ${since}`)
  const openOfMailbox = query(
    db,
    `SELECT count(*) AS things, coalesce(sum(units), 0) AS units
     FROM claims JOIN bookings ON reference = thing
     WHERE mailbox = :mailbox AND noun = 'booking' AND state IN ('requested', 'offered')
       AND thing <> :except`,
    { things: integer(), units: integer() },
  )
  const waiting = query(
    db,
    `SELECT
       (SELECT count(*) FROM bookings WHERE state = 'requested') AS requested,
       (SELECT count(*) FROM bookings WHERE ${changing}) AS changing,
       (SELECT count(*) FROM bookings WHERE state = 'quarantined') AS quarantined`,
    { requested: integer(), changing: integer(), quarantined: integer() },
  )

  return {
    /** How many bookings without a proof of ours a network has made in the last `ms`. */
    unprovenOf: (network: string, last: { now: number; ms: number }) =>
      unproven.get({ network, ...last })!.count,
    /** How many bookings a network has made in the last `ms`, of all kinds. */
    madeBy: (network: string, last: { now: number; ms: number }) =>
      recent.get({ network, ...last })!.count,
    /** The open requests of a mailbox (see `Sender`) and the days they hold, without one of them. */
    openOfMailbox: (mailbox: string, except: string) => openOfMailbox.get({ mailbox, except })!,
    /** How many bookings wait for staff. */
    waiting: () => waiting.get()!,
  }
}
