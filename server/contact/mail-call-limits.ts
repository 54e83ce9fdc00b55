import { failure } from '#shared/failures.ts'
import type { Database } from '../db/open.ts'
import { ticketTimeout } from './mail-call.ts'

/** Calls whose text is kept, since no ticket is known: how many, and how many bytes of text. */
const keptMost = {
  network: { calls: 60, bytes: 1024 * 1024 },
  inAll: { calls: 2000, bytes: 20 * 1024 * 1024 },
} as const

type Kept = { calls: number; bytes: number }

/**
 * Makes the check that there is room for the text of one more call.
 * @returns a function that throws too-many when no more text is kept, of a network or in all
 */
export function callLimits(db: Database): (network: string, bytes: number) => void {
  const keptOf = db.prepare(`SELECT count(*) AS calls, coalesce(sum(bytes), 0) AS bytes
    FROM mail_calls WHERE outcome IN ('waiting', 'held') AND network = :network`)
  const kept = db.prepare(`SELECT count(*) AS calls, coalesce(sum(bytes), 0) AS bytes
    FROM mail_calls WHERE outcome IN ('waiting', 'held')`)
  return (network, bytes) => {
    const isFull = (is: Kept, most: Kept) => is.calls >= most.calls || is.bytes + bytes > most.bytes
    const full =
      isFull(keptOf.get({ network }) as Kept, keptMost.network) ||
      isFull(kept.get() as Kept, keptMost.inAll)
    if (full) throw failure('too-many', { retryAfter: ticketTimeout / 1000 })
  }
}
