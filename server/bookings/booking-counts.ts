import type { Database } from '../db/open.ts'

/** Prepares the questions of how many bookings there are: from a network, for an address, for staff. */
export function createBookingCounts(db: Database) {
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

  return {
    /** How many bookings without a proof of ours a network has made since an instant. */
    unprovenSince: (network: string, after: number) => unproven.get({ network, after }) as number,
    /** How many bookings a network has made since an instant, of all kinds. */
    madeSince: (network: string, after: number) => recent.get({ network, after }) as number,
    /** How many bookings were made for an address since an instant. */
    forAddressSince: (email: string, after: number) => toAddress.get({ email, after }) as number,

    /** How many bookings wait for staff. */
    waiting: () => waiting.get() as { requested: number; quarantined: number },
  }
}
