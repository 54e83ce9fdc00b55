import type { Database } from '../../db/open.ts'
import { integer, query } from '../../db/table.ts'

/** Prepares the questions of how many bookings there are: from a network, for an address, for staff. */
export function createBookingCounts(db: Database) {
  const count = (where: string) =>
    query(db, `SELECT count(*) AS count FROM bookings WHERE ${where}`, { count: integer() })
  const unproven = count(
    `network = :network AND requested_at > :after AND proven = 0 AND state <> 'quarantined'`,
  )
  const recent = count('network = :network AND requested_at > :after')
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
       (SELECT count(*) FROM bookings WHERE state = 'quarantined') AS quarantined`,
    { requested: integer(), quarantined: integer() },
  )

  return {
    /** How many bookings without a proof of ours a network has made since an instant. */
    unprovenSince: (network: string, after: number) => unproven.get({ network, after })!.count,
    /** How many bookings a network has made since an instant, of all kinds. */
    madeSince: (network: string, after: number) => recent.get({ network, after })!.count,
    /** The open requests of a mailbox (see `Sender`) and the days they hold, without one of them. */
    openOfMailbox: (mailbox: string, except: string) => openOfMailbox.get({ mailbox, except })!,
    /** How many bookings wait for staff. */
    waiting: () => waiting.get()!,
  }
}
